DROP VIEW visited; DROP TABLE visits;
