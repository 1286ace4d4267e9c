import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.*;
import java.util.*;

// Walk calls every method of JDBC's DatabaseMetaData, with the names of what it has made, and prints the columns and the
// count of each result.
public class Walk {
    public static void main(String[] args) throws Exception {
        String database = System.getenv("DATABASE");
        String url = "jdbc:mariadb://" + System.getenv("HOST") + ":" + System.getenv("PORT") + "/" + database + "?user=root&allowPublicKeyRetrieval=true";
        try (Connection c = DriverManager.getConnection(url); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE parent (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20) NOT NULL, UNIQUE KEY by_name (name))");
            s.execute("CREATE TABLE child (id INT PRIMARY KEY, parent_id INT, price DECIMAL(8,2) DEFAULT 1.50, at DATETIME, FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE RESTRICT)");
            s.execute("CREATE VIEW named AS SELECT name FROM parent");
            DatabaseMetaData m = c.getMetaData();
            List<Method> methods = new ArrayList<>(Arrays.asList(DatabaseMetaData.class.getMethods()));
            methods.sort(Comparator.comparing(Method::getName).thenComparing(x -> x.getParameterCount()));
            int failed = 0;
            for (Method method : methods) {
                if (method.getDeclaringClass() != DatabaseMetaData.class) continue;
                Object[] values = valuesFor(method, database);
                if (values == null) continue;
                try {
                    Object got = method.invoke(m, values);
                    if (got instanceof ResultSet) show(method.getName(), (ResultSet) got);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof SQLFeatureNotSupportedException) continue; // the driver's own
                    failed++;
                    System.out.println(method.getName() + ": " + e.getCause());
                }
            }
            System.out.println(failed + " failed");
        }
    }

    static Object[] valuesFor(Method method, String database) {
        switch (method.getName()) {
            case "getTables": return new Object[]{database, null, "%", null};
            case "getColumns": return new Object[]{database, null, "child", "%"};
            case "getPrimaryKeys": return new Object[]{database, null, "child"};
            case "getImportedKeys": return new Object[]{database, null, "child"};
            case "getExportedKeys": return new Object[]{database, null, "parent"};
            case "getCrossReference": return new Object[]{database, null, "parent", database, null, "child"};
            case "getIndexInfo": return new Object[]{database, null, "parent", false, true};
            case "getBestRowIdentifier": return new Object[]{database, null, "parent", DatabaseMetaData.bestRowSession, true};
        }
        Object[] values = new Object[method.getParameterCount()];
        for (int i = 0; i < values.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            if (type == int.class) values[i] = 1;
            else if (type == boolean.class) values[i] = true;
            else if (type == String.class) values[i] = i == 0 ? database : "%";
            else if (type.isArray()) values[i] = null;
            else return null;
        }
        return values;
    }

    // Of what the server has of its own only the columns are printed; of what the walk has made also the rows.
    static void show(String name, ResultSet rows) throws SQLException {
        ResultSetMetaData columns = rows.getMetaData();
        StringBuilder line = new StringBuilder(name + ":");
        for (int i = 1; i <= columns.getColumnCount(); i++) line.append(" ").append(columns.getColumnLabel(i));
        System.out.println(line);
        Set<String> made = Set.of("getTables", "getPrimaryKeys", "getImportedKeys", "getExportedKeys", "getCrossReference", "getBestRowIdentifier", "getColumns", "getIndexInfo");
        Set<String> told = Set.of("TABLE_NAME", "TABLE_TYPE", "COLUMN_NAME", "PK_NAME", "KEY_SEQ", "PKTABLE_NAME", "PKCOLUMN_NAME", "FKTABLE_NAME", "FKCOLUMN_NAME",
                "DELETE_RULE", "UPDATE_RULE", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "NULLABLE", "IS_AUTOINCREMENT", "ORDINAL_POSITION", "INDEX_NAME", "NON_UNIQUE");
        while (made.contains(name) && rows.next()) {
            line = new StringBuilder(" ");
            for (int i = 1; i <= columns.getColumnCount(); i++)
                if (told.contains(columns.getColumnLabel(i))) line.append(" ").append(rows.getString(i));
            System.out.println(line);
        }
        rows.close();
    }
}
