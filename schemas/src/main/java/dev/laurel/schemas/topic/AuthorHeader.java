package dev.laurel.schemas.topic;

import dev.laurel.schemas.audit.Author;
import dev.laurel.schemas.serde.Json;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The header {@code laurel-author} of a record of {@code laurel.ruleset-edits}: who asks for the change. */
public final class AuthorHeader {

    private static final String NAME = "laurel-author";

    private AuthorHeader() {}

    /** @param author null: a process of the deployment, which needs no header */
    public static void write(Headers headers, @Nullable Author author) {
        if (author != null) {
            headers.add(NAME, Json.write(author));
        }
    }

    /** Returns null if the header is absent or cannot be read: an edit counts without its author. */
    public static @Nullable Author read(Headers headers) {
        Header header = headers.lastHeader(NAME);
        if (header == null || header.value() == null) {
            return null;
        }
        try {
            return Json.read(header.value(), Author.class);
        } catch (RuntimeException _) {
            return null;
        }
    }
}
