package dev.laurel.schemas.serde;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes typed values of fields, null as null. {@link Fields} reads them. */
final class FieldWriter {

    private FieldWriter() {}

    static void text(JsonGenerator json, String field, @Nullable String text) {
        if (text == null) {
            json.writeNullProperty(field);
        } else {
            json.writeStringProperty(field, text);
        }
    }

    static void id(JsonGenerator json, String field, @Nullable UUID id) {
        text(json, field, id == null ? null : id.toString());
    }

    static void date(JsonGenerator json, String field, @Nullable LocalDate date) {
        text(json, field, date == null ? null : date.toString());
    }

    static void time(JsonGenerator json, String field, @Nullable Instant time) {
        text(json, field, time == null ? null : Json.time(time));
    }

    static void integer(JsonGenerator json, String field, @Nullable Long integer) {
        if (integer == null) {
            json.writeNullProperty(field);
        } else {
            json.writeNumberProperty(field, integer);
        }
    }

    static void integer(JsonGenerator json, String field, @Nullable Integer integer) {
        integer(json, field, integer == null ? null : Long.valueOf(integer));
    }

    static void number(JsonGenerator json, String field, @Nullable BigDecimal number) {
        json.writeName(field);
        if (number == null) {
            json.writeNull();
        } else {
            json.writeNumber(Json.plain(number));
        }
    }
}
