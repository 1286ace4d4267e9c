# Functions of dates and times, of bits, and the weeks of a year.

query
select makedate(2011,31), makedate(2011,32), makedate(2011,0), makedate(11,60), makedate(2011,-1), makedate(9999,366), makedate('2020','60')
----
makedate(2011,31) | makedate(2011,32) | makedate(2011,0) | makedate(11,60) | makedate(2011,-1) | makedate(9999,366) | makedate('2020','60')
2011-01-31 | 2011-02-01 | NULL | 2011-03-01 | NULL | NULL | 2020-02-29

query
select maketime(12,15,30), maketime(-12,15,30.25), maketime(900,0,0), maketime(1,60,0), maketime(1,1,60), maketime(0,0,59.999999)
----
maketime(12,15,30) | maketime(-12,15,30.25) | maketime(900,0,0) | maketime(1,60,0) | maketime(1,1,60) | maketime(0,0,59.999999)
12:15:30 | -12:15:30.250000 | 838:59:59 | NULL | NULL | 00:00:59.999999

query
select sec_to_time(2378), sec_to_time(2378)+0, sec_to_time(-1.5), sec_to_time(9999999), sec_to_time('70x'), sec_to_time(null)
----
sec_to_time(2378) | sec_to_time(2378)+0 | sec_to_time(-1.5) | sec_to_time(9999999) | sec_to_time('70x') | sec_to_time(null)
00:39:38 | 3938 | -00:00:01.500000 | 838:59:59 | 00:01:10 | NULL

query
select addtime('2007-12-31 23:59:59.999999','1 1:1:1.000002'), addtime('01:00:00.999999','02:00:00.999998'), subtime('2007-12-31 23:59:59.999999','1 1:1:1.000002'), subtime('01:00:00.999999','02:00:00.999998'), addtime('10:00:00','2020-01-01 10:00:00'), addtime(cast('2020-02-28 23:00:00' as datetime), '02:00:00'), addtime(cast('10:00' as time), '01:30'), addtime('x','1')
----
addtime('2007-12-31 23:59:59.999999','1 1:1:1.000002') | addtime('01:00:00.999999','02:00:00.999998') | subtime('2007-12-31 23:59:59.999999','1 1:1:1.000002') | subtime('01:00:00.999999','02:00:00.999998') | addtime('10:00:00','2020-01-01 10:00:00') | addtime(cast('2020-02-28 23:00:00' as datetime), '02:00:00') | addtime(cast('10:00' as time), '01:30') | addtime('x','1')
2008-01-02 01:01:01.000001 | 03:00:01.999997 | 2007-12-30 22:58:58.999997 | -00:59:59.999999 | NULL | 2020-02-29 01:00:00 | 11:30:00 | NULL

query
select to_seconds(950501), to_seconds('2009-11-29'), to_seconds('2009-11-29 13:43:32'), to_seconds('bad')
----
to_seconds(950501) | to_seconds('2009-11-29') | to_seconds('2009-11-29 13:43:32') | to_seconds('bad')
62966505600 | 63426672000 | 63426721412 | NULL

query
select period_add(200801,2), period_add(0801,-3), period_diff(200802,200703), period_add(9912,1), period_diff(7001, 6912)
----
period_add(200801,2) | period_add(0801,-3) | period_diff(200802,200703) | period_add(9912,1) | period_diff(7001, 6912)
200803 | 200710 | 11 | 200001 | -1199

query
select period_add(200813,2)
----
ERROR 1210 (HY000): Incorrect arguments to period_add

query
select oct(12), oct(-1), oct('8x'), oct(null), oct(18446744073709551615)
----
oct(12) | oct(-1) | oct('8x') | oct(null) | oct(18446744073709551615)
14 | 1777777777777777777777 | 10 | NULL | 1777777777777777777777

query
select export_set(5,'Y','N',',',4), export_set(6,'1','0',',',10), export_set(3,'a','b'), export_set(5,'Y','N','-'), export_set(null,'a','b')
----
export_set(5,'Y','N',',',4) | export_set(6,'1','0',',',10) | export_set(3,'a','b') | export_set(5,'Y','N','-') | export_set(null,'a','b')
Y,N,Y,N | 0,1,1,0,0,0,0,0,0,0 | a,a,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b | Y-N-Y-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N-N | NULL

query
select make_set(1,'a','b','c'), make_set(1|4,'hello','nice','world'), make_set(1|4,'hello','nice',null,'world'), make_set(0,'a','b','c'), make_set(null,'a')
----
make_set(1,'a','b','c') | make_set(1|4,'hello','nice','world') | make_set(1|4,'hello','nice',null,'world') | make_set(0,'a','b','c') | make_set(null,'a')
a | hello,world | hello |  | NULL

query
select week('2008-12-31',3), week('2018-12-31',7), week('2024-12-30',3), week('2008-02-20'), week('2008-02-20',0), week('2008-02-20',1), week('2008-12-31',1), week('2000-01-01',0), week('2000-01-01',2), week('2016-01-01',7), week('2016-01-01',5), week('2017-01-01',6), week('2017-01-01',4)
----
week('2008-12-31',3) | week('2018-12-31',7) | week('2024-12-30',3) | week('2008-02-20') | week('2008-02-20',0) | week('2008-02-20',1) | week('2008-12-31',1) | week('2000-01-01',0) | week('2000-01-01',2) | week('2016-01-01',7) | week('2016-01-01',5) | week('2017-01-01',6) | week('2017-01-01',4)
1 | 53 | 1 | 7 | 7 | 8 | 53 | 0 | 52 | 52 | 0 | 1 | 1
