# MariaDB's own programs beside its client: load files, load the server, ask it how it does.
set -e
to="-h$HOST -P$PORT -uroot"

echo "mariadb-import"
mariadb $to -e "SET GLOBAL local_infile = 1"
mariadb $to "$DATABASE" -e "CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(20), n INT)"
printf '1\tx\\ty\t\\N\n2\tu\t5\n' > "$WORK/people.txt"
mariadb-import $to --local "$DATABASE" "$WORK/people.txt"
mariadb-import $to --local "$DATABASE" "$WORK/people.txt"
printf '1\tz\t7\n2\tu\t6\n' > "$WORK/people.txt"
mariadb-import $to --local --replace "$DATABASE" "$WORK/people.txt"
printf 'id,name\n3,"a,b"\n' > "$WORK/people.csv"
mariadb-import $to --local --fields-terminated-by=, --fields-optionally-enclosed-by='"' --ignore-lines=1 \
	--columns=id,name "$DATABASE" "$WORK/people.csv"
mariadb $to "$DATABASE" -e "SELECT * FROM people; SELECT COUNT(*) FROM people"
mariadb $to -e "SET GLOBAL local_infile = 0"

echo "mariadb-slap"
for type in mixed write key update; do
	mariadb-slap $to --create-schema="${DATABASE}_slap" --concurrency=2 --iterations=2 --number-of-queries=40 \
		--auto-generate-sql --auto-generate-sql-load-type=$type --auto-generate-sql-guid-primary --csv="$WORK/slap"
	cut -d, -f2,6 "$WORK/slap"
	rm "$WORK/slap"
done
mariadb-slap $to --create-schema="$DATABASE" --no-drop --concurrency=2 --number-of-queries=20 \
	--query="SELECT * FROM people WHERE id = 2; UPDATE people SET n = n + 1 WHERE id = 2" --delimiter=";" >/dev/null
mariadb $to "$DATABASE" -e "SELECT n FROM people WHERE id = 2"

echo "mariadb-admin"
mariadb-admin $to ping
mariadb-admin $to status | sed 's/[0-9.][0-9.]*/N/g'
mariadb-admin $to version | grep -c "Server version"
mariadb-admin $to extended-status | grep -c -E "[|] (Uptime|Questions|Threads_connected) "
mariadb-admin $to variables | grep -c -E "[|] (max_allowed_packet|sql_mode) "
mariadb-admin $to processlist | grep -c processlist
for command in flush-hosts flush-logs flush-status flush-tables flush-privileges refresh reload; do
	mariadb-admin $to $command && echo "$command"
done
mariadb-admin $to create "${DATABASE}_made"
mariadb-admin $to -f drop "${DATABASE}_made"
