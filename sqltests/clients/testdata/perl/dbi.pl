# People and children with both of DBI's drivers, with and without prepared statements.
use DBI; use utf8; binmode STDOUT,':utf8';
for my $drv ('mysql','MariaDB') {
 for my $ps (0,1) {
 my $en = $drv eq 'mysql' ? 'mysql_enable_utf8mb4=1;mysql_server_prepare='.$ps : 'mariadb_server_prepare='.$ps;
 my $d=DBI->connect("dbi:$drv:database=$ENV{DATABASE};host=$ENV{HOST};port=$ENV{PORT};$en",'root','',{RaiseError=>1,PrintError=>0,AutoCommit=>1});
 $d->do('DROP TABLE IF EXISTS c, p');
   $d->do('CREATE TABLE p (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE, d DATE, j TEXT, n DECIMAL(8,2), b BLOB, f DOUBLE, t TIMESTAMP NULL, big BIGINT UNSIGNED)');
   $d->do('CREATE TABLE c (id INT PRIMARY KEY, p INT, KEY(p), FOREIGN KEY (p) REFERENCES p(id))');
 my $s=$d->prepare('INSERT INTO p (name,d,j,n,b,f,big) VALUES (?,?,?,?,?,?,?)');
   $s->execute('Žofie 😀','2024-02-03','{"a":[1,null]}',12.3,"\0\x01",1.5,'18446744073709551615');
   print $d->last_insert_id(undef,undef,'p','id'),"\n"; $s->execute('Bob',undef,undef,undef,undef,undef,undef);
 print join('|',map{defined $_?$_:'NULL'} @$_),"\n" for @{$d->selectall_arrayref('SELECT * FROM p WHERE id>? ORDER BY id',undef,0)};
 my $q=$d->prepare('SELECT * FROM p'); $q->execute;
   print "@{$q->{NAME}} @{$q->{TYPE}} @{$q->{NULLABLE}} ", $drv eq 'mysql'?"@{$q->{mysql_type_name}} @{$q->{mysql_length}} @{[map{$_?1:0}@{$q->{mysql_is_blob}}]} @{[map{$_?1:0}@{$q->{mysql_is_auto_increment}}]} @{[map{$_?1:0}@{$q->{mysql_is_num}}]}":'',$q->rows,"\n";
   $q->finish;
 eval{$s->execute('Bob',(undef)x6)}; print $DBI::err,' ',$DBI::state,' ',$DBI::errstr,"\n";
   eval{$s->execute(undef,(undef)x6)}; print $DBI::err,' ',$DBI::errstr,"\n"; eval{$s->execute('x'x40,(undef)x6)};
   print $DBI::err,' ',$DBI::errstr,"\n"; eval{$s->execute('q','nodate',(undef)x5)};
   print $DBI::err,' ',$DBI::errstr,"\n";eval{$s->execute('q',undef,'{bad',(undef)x4)}; print $DBI::err,"\n";
   eval{$d->do('INSERT INTO c VALUES (1,77)')}; print $DBI::err,"\n"; eval{$d->do('SELEC')}; print $DBI::err,"\n";
   eval{$d->do('SELECT * FROM nono')}; print $DBI::err,' ',$DBI::errstr,"\n"; eval{$d->do('SELECT nono FROM p')};
   print $DBI::err,' ',$DBI::errstr,"\n";
 $d->begin_work; print $d->do('UPDATE p SET n=1'),"\n"; $d->rollback; print $d->do('DELETE FROM p WHERE id=99'),"\n";
   $d->{AutoCommit}=0; $d->do('INSERT INTO c VALUES (1,1)'); $d->commit; $d->{AutoCommit}=1;
 print join(' ',map{$_//'u'}@$_[3,5,6,8,10,12]),"\n" for @{$d->column_info(undef,$ENV{DATABASE},'p','%')->fetchall_arrayref};
   print join(' ',map{$_//'u'}@$_[3,4,5]),"\n" for @{$d->primary_key_info(undef,$ENV{DATABASE},'p')->fetchall_arrayref};
   print join(' ',map{$_//'u'}@$_[2,3,6,7]),"\n" for @{$d->foreign_key_info(undef,undef,undef,undef,$ENV{DATABASE},'c')->fetchall_arrayref};
   print join(' ',map{$_//'u'}@$_[2,3,5,6,7,8]),"\n" for @{$d->statistics_info(undef,$ENV{DATABASE},'p',0,0)->fetchall_arrayref};
   print join(',',grep{/`[cp]`/}$d->tables),"\n"; print $d->ping, ' ', scalar($d->type_info_all)>0, "\n";
   print $d->quote("a'b\\\n"),"\n";
   my $h=$d->selectrow_hashref('SELECT COUNT(*) n, MAX(d) m, NOW() > d x FROM p WHERE name LIKE ? GROUP BY d LIMIT ?',undef,'%o%',1);
   print map{"$_=".($h->{$_}//'u')." "}sort keys %$h; print "\n"; 
 $d->disconnect }}
