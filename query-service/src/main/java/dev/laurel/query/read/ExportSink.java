package dev.laurel.query.read;

/** Takes an export piece by piece, in the order of the document. Names are null inside of a list. */
public interface ExportSink {

    void put(String name, Object body);

    void beginObject(String name);

    void beginList(String name);

    /** Of the object or the list that was begun last. */
    void end();
}
