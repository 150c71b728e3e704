package dev.laurel.warehouse.sync;

import dev.laurel.warehouse.RowSet;
import dev.laurel.warehouse.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What some records say about the tables, to be written in one transaction. Of several records about the same rows the last one counts.
 * The caller limits the number of records.
 */
final class RowBatch {

    private final Map<Part, Map<List<Object>, List<@Nullable Object[]>>> parts = new LinkedHashMap<>();
    private int rows;

    /** The sets of a table whose scopes have so many columns. The scopes of different parts never contain each other. */
    record Part(Table table, int scope) {}

    void add(RowSet set) {
        List<@Nullable Object[]> former = parts.computeIfAbsent(
                        new Part(set.table(), set.scope().size()), _ -> new LinkedHashMap<>())
                .put(set.scope(), set.rows());
        rows += set.rows().size() - (former == null ? 0 : former.size());
    }

    /** The number of rows to be written. */
    int rows() {
        return rows;
    }

    Iterable<Part> parts() {
        return parts.keySet();
    }

    Iterable<List<Object>> scopes(Part part) {
        return of(part).keySet();
    }

    List<@Nullable Object[]> rows(Part part) {
        var all = new ArrayList<@Nullable Object[]>();
        of(part).values().forEach(all::addAll);
        return all;
    }

    private Map<List<Object>, List<@Nullable Object[]>> of(Part part) {
        return parts.getOrDefault(part, Map.of());
    }

    /** All parts that records have. */
    static List<Part> all() {
        return List.of(
                new Part(Table.USERS, 2),
                new Part(Table.COMPLETIONS, 2),
                new Part(Table.DAYS, 3),
                new Part(Table.DAYS, 5),
                new Part(Table.AWARDS, 3),
                new Part(Table.AWARDS, 5),
                new Part(Table.PERIODS, 3),
                new Part(Table.PERIODS, 5),
                new Part(Table.PARTICIPANTS, 5));
    }
}
