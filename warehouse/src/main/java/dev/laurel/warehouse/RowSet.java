package dev.laurel.warehouse;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a record says about a table: these are all rows whose keys begin with this scope, and there are no others. Applying it again
 * changes nothing.
 *
 * @param scope values of the first columns of the key
 * @param rows each has a value for each column of the table and begins with the scope
 */
public record RowSet(Table table, List<Object> scope, List<@Nullable Object[]> rows) {

    static RowSet one(Table table, @Nullable Object... row) {
        return new RowSet(table, keyOf(table, row), List.<@Nullable Object[]>of(row));
    }

    static RowSet none(Table table, Object... scope) {
        return new RowSet(table, List.of(scope), List.of());
    }

    private static List<Object> keyOf(Table table, @Nullable Object[] row) {
        @SuppressWarnings("NullAway") // no column of a key is nullable
        Object[] key = Arrays.copyOf(row, table.key().size());
        return List.of(key);
    }
}
