# Two minus signs begin a comment only before white space; otherwise they are two minus signs.

query
SELECT 1--1 AS a, 2*--3 AS b, 5 --2 AS c, 1---1 AS d -- 7
----
a | b | c | d
2 | 6 | 7 | 0

query
SELECT '--1' AS a --
  , 3 AS b
----
a | b
--1 | 3
