package dev.laurel.deploy.tools.ruleset;

/**
 * One thing that is wrong with a ruleset file, and where. Its text is {@code file:line:column: path: message}, the form
 * that editors and terminals make clickable.
 *
 * @param line from 1; 0 if the place is not known, then the column is 0 too
 * @param path JSON pointer into the document, empty for the document as a whole
 */
public record Problem(String file, int line, int column, String path, String message) {

    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        return place + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
