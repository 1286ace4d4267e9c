<?php // A schema with Doctrine DBAL: made, compared with what is there, changed; errors and transactions.
error_reporting(E_ALL & ~E_DEPRECATED);
require '/usr/share/php/Doctrine/DBAL/autoload.php';
use Doctrine\DBAL\DriverManager; use Doctrine\DBAL\Schema\{Schema,Comparator}; use Doctrine\DBAL\Types\Types;
foreach (['pdo_mysql','mysqli'] as $drv) {
$c=DriverManager::getConnection(['driver'=>$drv,'host'=>getenv('HOST'),'port'=>(int)getenv('PORT'),'user'=>'root','password'=>'','dbname'=>getenv('DATABASE'),'charset'=>'utf8mb4']);
$p=$c->getDatabasePlatform(); echo get_class($p) ? 'platform':'' ,"\n"; $sm=$c->createSchemaManager();
$mk=function($later){ $s=new Schema(); $t=$s->createTable('people');
  $t->addColumn('id','integer',['autoincrement'=>true]); $t->setPrimaryKey(['id']);
  $t->addColumn('name','string',['length'=>$later?80:40,'comment'=>'the name']); $t->addUniqueIndex(['name'],'u_name');
  $t->addColumn('born','date',['notnull'=>false]); $t->addColumn('at','datetime',['notnull'=>false]);
  $t->addColumn('price','decimal',['precision'=>10,'scale'=>2,'default'=>'0']);
  $t->addColumn('ok','boolean',['default'=>true]); $t->addColumn('doc','json',['notnull'=>false]);
  $t->addColumn('b','blob',['notnull'=>false]); $t->addColumn('bio','text',['notnull'=>false]);
  $t->addColumn('f','float',['notnull'=>false]); $t->addColumn('big','bigint',['unsigned'=>true,'notnull'=>false]);
  $t->addColumn('g','guid',['notnull'=>false]); $t->addColumn('ti','time',['notnull'=>false]);
  $t->addColumn('ar','simple_array',['notnull'=>false]); if($later){$t->addColumn('extra','smallint',['default'=>3]);
  $t->addIndex(['born','price'],'bp');}
$q=$s->createTable('pets'); $q->addColumn('id','integer',['autoincrement'=>true]); $q->setPrimaryKey(['id']);
  $q->addColumn('owner','integer',['notnull'=>false]);
  $q->addForeignKeyConstraint('people',['owner'],['id'],['onDelete'=>$later?'SET NULL':'CASCADE'],'fk_owner'); return $s;
  };
$s1=$mk(false); foreach($s1->toSql($p) as $q) $c->executeStatement($q);
$cmp=$sm->createComparator(); $d=$cmp->compareSchemas($sm->introspectSchema(),$s1); echo 'diff1 '; print_r($p->getAlterSchemaSQL($d));
$c->insert('people',['name'=>'Žofie 😀','born'=>new DateTime('1990-02-03'),'at'=>new DateTime('2024-01-02 03:04:05'),'price'=>'12.30','ok'=>false,'doc'=>['a'=>[1,null,'é']],'b'=>"\0\xff",'f'=>1.5,'big'=>'18446744073709551615','ti'=>new DateTime('01:02:03')],['born'=>'date','at'=>'datetime','ok'=>'boolean','doc'=>'json','b'=>'blob','ti'=>'time']);
  echo $c->lastInsertId(),"\n"; $c->insert('people',['name'=>'Bob']);
foreach($c->fetchAllAssociative('SELECT * FROM people ORDER BY id') as $r) { $r['b']=$r['b']===null?null:bin2hex($r['b']);
  echo json_encode($r,JSON_UNESCAPED_UNICODE),"\n"; var_dump($r['price'],$r['ok'],$r['f'],$r['big'],$r['id']); }
foreach([['INSERT INTO people (name) VALUES (?)',['Bob']],['INSERT INTO people (name) VALUES (?)',[null]],['INSERT INTO pets (owner) VALUES (99)',[]],['SELEC',[]],['SELECT * FROM nono',[]],['SELECT nono FROM people',[]],['CREATE TABLE people (id INT)',[]],['INSERT INTO people (name,born) VALUES (?,?)',['x','bad']]] as [$q,$a]) try{ $c->executeStatement($q,$a);
  echo "none\n"; }catch(\Throwable $e){ echo get_class($e),' ',$e->getCode(),"\n"; }
$c->transactional(function($c){ $c->update('people',['price'=>5],['name'=>'Bob']); });
  $c->setNestTransactionsWithSavepoints(true); $c->beginTransaction(); $c->delete('people',['name'=>'Bob']);
  $c->beginTransaction(); $c->executeStatement('DELETE FROM people'); $c->rollBack();
  echo $c->fetchOne('SELECT COUNT(*) FROM people'),"\n"; $c->rollBack();
foreach([1,2,3,4] as $l){ $c->setTransactionIsolation($l); echo $c->fetchOne('SELECT @@transaction_isolation'),"\n"; }
$qb=$c->createQueryBuilder()->select('p.name','COUNT(t.id) n')->from('people','p')->leftJoin('p','pets','t','t.owner=p.id')->where('p.id IN (:ids)')->groupBy('p.id')->orderBy('p.id')->setMaxResults(5)->setFirstResult(0)->setParameter('ids',[1,2],Doctrine\DBAL\Connection::PARAM_INT_ARRAY);
  echo json_encode($qb->fetchAllAssociative()),"\n";
$d=$cmp->compareSchemas($sm->introspectSchema(),$mk(true)); $sql=$p->getAlterSchemaSQL($d); print_r($sql);
  foreach($sql as $q) $c->executeStatement($q);
$d=$cmp->compareSchemas($sm->introspectSchema(),$mk(true)); print_r($p->getAlterSchemaSQL($d));
foreach($sm->listTableColumns('people') as $k) echo $k->getName(),' ',$k->getType()->getName(),' ',$k->getLength(),' ',var_export($k->getDefault(),true),' ',$k->getComment(),"\n";
  foreach($sm->listTableIndexes('people') as $i) echo $i->getName(),json_encode($i->getColumns()),$i->isUnique()?'u':'',"\n";
  foreach($sm->listTableForeignKeys('pets') as $f) echo $f->getName(),' ',$f->getForeignTableName(),' ',$f->onDelete(),"\n";
  $sm->createView(new Doctrine\DBAL\Schema\View('v','SELECT id FROM people'));
  echo count($sm->listViews()),json_encode($sm->listDatabases()?1:0),json_encode($sm->listTableNames()),"\n";
  $sm->dropView('v');
foreach($mk(true)->toDropSql($p) as $q) $c->executeStatement($q);
}
