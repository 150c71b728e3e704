package dev.laurel.schemas.admin;

import dev.laurel.schemas.kind.IssueList;
import java.util.List;
import java.util.Map;

/**
 * Where in the human form of a ruleset an object of a request stands: issues at or below it are about the object.
 *
 * @param pointer JSON pointer
 * @param prefix of what is said about it, empty for the item itself
 * @param names of fields that are called otherwise in the admin API
 */
record Place(String pointer, String prefix, Map<String, String> names) {

    /** A pointer as issues have it. */
    static String pointer(List<String> steps) {
        var pointer = new StringBuilder();
        for (String step : steps) {
            pointer.append('/').append(IssueList.escaped(step));
        }
        return pointer.toString();
    }
}
