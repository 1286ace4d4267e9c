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
12:15:30 | -12:15:30.25 | 838:59:59 | NULL | NULL | 00:00:59.999999

query
select sec_to_time(2378), sec_to_time(2378)+0, sec_to_time(-1.5), sec_to_time(9999999), sec_to_time('70x'), sec_to_time(null)
----
sec_to_time(2378) | sec_to_time(2378)+0 | sec_to_time(-1.5) | sec_to_time(9999999) | sec_to_time('70x') | sec_to_time(null)
00:39:38 | 3938 | -00:00:01.5 | 838:59:59 | 00:01:10.000000 | NULL

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

query
SELECT STR_TO_DATE('202452 Monday', '%X%V %W') a, STR_TO_DATE('202452 Monday', '%x%v %W') b, STR_TO_DATE('2024 52 Sunday', '%Y %U %W') c, STR_TO_DATE('2024 00 Sat', '%Y %u %a') d, STR_TO_DATE('202453 0', '%X%V %w') e, STR_TO_DATE('202400 Monday', '%X%V %W') f, STR_TO_DATE('202452', '%X%V') g, STR_TO_DATE('2024 52 Monday', '%Y %V %W') h
----
a | b | c | d | e | f | g | h
2024-12-30 | 2024-12-23 | 2024-12-29 | 2023-12-30 | 2025-01-05 | NULL | NULL | NULL

query
SELECT STR_TO_DATE('12.5', '%s.%f') a, STR_TO_DATE('2024-05-06 07:08:09.000120', '%Y-%m-%d %H:%i:%s.%f') b, STR_TO_DATE('2024-05-06 07:08:09', '%Y-%m-%d %T') c, STR_TO_DATE('09:08:07 pm', '%r') d, STR_TO_DATE('12:08:07 AM', '%h:%i:%s %p') e, STR_TO_DATE('13:00 PM', '%h:%i %p') f, STR_TO_DATE('3 25', '%d %H') g, STR_TO_DATE('3 23', '%d %H') h
----
a | b | c | d | e | f | g | h
00:00:12.500000 | 2024-05-06 07:08:09.00012 | 2024-05-06 07:08:09 | 21:08:07 | 00:08:07 | NULL | NULL | 95:00:00

query
SELECT STR_TO_DATE('2020-05', '%Y-%m') a, STR_TO_DATE('2020', '%Y') b, STR_TO_DATE('2020-05-00', '%Y-%m-%d') c, STR_TO_DATE('00/00/0000', '%m/%d/%Y') d, STR_TO_DATE('2023-02-29', '%Y-%m-%d') e, STR_TO_DATE('2024-02-29', '%Y-%m-%d') f, STR_TO_DATE('2024 366', '%Y %j') g, STR_TO_DATE('2023 366', '%Y %j') h
----
a | b | c | d | e | f | g | h
NULL | NULL | NULL | NULL | NULL | 2024-02-29 | 2024-12-31 | 2024-01-01

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1411 | Incorrect datetime value: '2020-05' for function str_to_date
Warning | 1411 | Incorrect datetime value: '2020' for function str_to_date
Warning | 1411 | Incorrect datetime value: '2020-05-00' for function str_to_date
Warning | 1411 | Incorrect datetime value: '00/00/0000' for function str_to_date
Warning | 1411 | Incorrect datetime value: '2023-02-29' for function str_to_date

query
SELECT STR_TO_DATE('May 1, 2013', '%M %d,%Y') a, STR_TO_DATE('1st of sep 99', '%D of %b %y') b, STR_TO_DATE('01,5,2013', '%d,%m,%Y') c, STR_TO_DATE('a09:30:17', 'a%h:%i:%s') d, STR_TO_DATE('a09:30:17', '%h:%i:%s') e, STR_TO_DATE('9', '%m') f, STR_TO_DATE('9', '%s') g, STR_TO_DATE('2024-05-06 and more', '%Y-%m-%d') h, STR_TO_DATE('x12,.3-2024-05-06', '%@%#%.%#-%Y-%m-%d') i, STR_TO_DATE('', '%Y') j, STR_TO_DATE(20240506, '%Y%m%d') k, STR_TO_DATE('20240506', CONCAT('%Y', '%m%d')) l, STR_TO_DATE(NULL, '%Y') m, STR_TO_DATE('2024', NULL) n, STR_TO_DATE('2024-05-06', '%Y-%m-%d %q') o, STR_TO_DATE('2024-05-06 1', '%Y-%m-%d %q') p
----
a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p
2013-05-01 | 1999-09-01 | 2013-05-01 | 09:30:17 | NULL | NULL | 00:00:09 | 2024-05-06 | 2024-05-06 | NULL | 2024-05-06 | 2024-05-06 00:00:00 | NULL | NULL | 2024-05-06 | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1411 | Incorrect datetime value: 'a09:30:17' for function str_to_date
Warning | 1411 | Incorrect datetime value: '9' for function str_to_date
Warning | 1292 | Truncated incorrect date value: '2024-05-06 and more'
Warning | 1411 | Incorrect datetime value: '' for function str_to_date
Warning | 1411 | Incorrect datetime value: '2024-05-06 1' for function str_to_date
