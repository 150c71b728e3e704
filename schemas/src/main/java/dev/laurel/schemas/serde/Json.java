package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.FieldMap.DraftException;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type.Words;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.wire.EditBody.VariantBody;
import dev.laurel.schemas.wire.ObjectBody;
import dev.laurel.schemas.wire.Present;
import dev.laurel.schemas.wire.WebhookPayload;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * Reads and writes JSON by the rules of docs/application-api.md §1 for numbers, times and absent values, for everything
 * except commands: see {@link CommandJson}.
 *
 * <ul>
 * <li>an integer has neither fraction nor exponent;
 * <li>a time is in UTC, with {@code Z} and milliseconds;
 * <li>an empty {@code Optional} is omitted, a null is written.
 * </ul>
 */
public final class Json {

    /** The maximum nesting depth. Bodies and records are shallow; deeply nested input could overflow the stack. */
    static final int MAX_NESTING = 64;

    private static final int MAX_PLAIN_DIGITS = 1000;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
            .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    private static final JsonMapper MAPPER = mapper();

    /** Parts of parser messages that describe the input source or name Jackson features. */
    private static final Pattern PARSER_DETAILS =
            Pattern.compile(" \\(start marker at \\[Source: [^\\]]*\\]\\)|: enable `[^`]*` to allow|, from `[^`]*`");

    /** What a value of other types than objects and arrays must be. */
    private static final Map<Class<?>, String> NOUNS = Map.of(
            String.class,
            "a string",
            Integer.class,
            "a whole number",
            int.class,
            "a whole number",
            Long.class,
            "a whole number",
            long.class,
            "a whole number",
            BigDecimal.class,
            "a number",
            Boolean.class,
            "true or false",
            boolean.class,
            "true or false",
            UUID.class,
            "a UUID");

    private Json() {}

    /** The mapper, for JSON trees and command line tools. Immutable. */
    public static JsonMapper mapperForTools() {
        return MAPPER;
    }

    public static byte[] write(@Nullable Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static String text(@Nullable Object value) {
        return new String(write(value), UTF_8);
    }

    /** Reads JSON that Laurel wrote; a failure is a fault. */
    public static <T> T read(byte[] json, Class<T> type) {
        return MAPPER.readValue(json, type);
    }

    /** Reads JSON that Laurel wrote as plain values, which can be written again. */
    public static Object readTree(byte[] json) {
        return MAPPER.readValue(json, Object.class);
    }

    /**
     * Reads JSON from a client.
     *
     * @throws BadInputException with the path of the invalid value and the problem, in terms of JSON
     */
    public static <T> T readForeign(byte[] json, Class<T> type) throws BadInputException {
        expectUtf8(json);
        try {
            T value = MAPPER.readValue(json, type);
            if (value == null) {
                throw notAnObject();
            }
            return value;
        } catch (JacksonException e) {
            throw refusal(e);
        }
    }

    /**
     * Reads a JSON array from a client as plain values: strings, numbers, booleans, lists, maps, null.
     *
     * @throws BadInputException if the input is not a JSON array
     */
    public static List<Object> readForeignArray(byte[] json) throws BadInputException {
        if (readForeignTree(json) instanceof List<?> list) {
            return new ArrayList<>(list);
        }
        throw BadInputException.unreadable("The body must be a JSON array.");
    }

    /** Like {@link #readForeignArray}, for a JSON object. */
    public static Map<String, Object> readForeignObject(byte[] json) throws BadInputException {
        if (readForeignTree(json) instanceof Map<?, ?> fields) {
            var copy = new LinkedHashMap<String, Object>();
            fields.forEach((name, value) -> copy.put((String) name, value));
            return copy;
        }
        throw notAnObject();
    }

    /** Returns null for the JSON value null and for empty input. */
    private static @Nullable Object readForeignTree(byte[] json) throws BadInputException {
        expectUtf8(json);
        try {
            return json.length == 0 ? null : MAPPER.readValue(json, Object.class);
        } catch (StreamReadException e) {
            throw unreadable(e);
        } catch (JacksonException e) {
            throw refusal(e);
        }
    }

    /**
     * Checks JSON from a client before it is parsed: the parser itself accepts some invalid sequences, and other encodings.
     */
    public static void expectUtf8(byte[] json) throws BadInputException {
        if (!UnicodeText.isUtf8(json)) {
            throw BadInputException.unreadable("Not valid JSON: the text is not valid UTF-8.");
        }
    }

    /** Converts a value to the plain values of its JSON form: strings, numbers, booleans, lists, maps, null. */
    public static Object plain(Object value) {
        return MAPPER.readValue(write(value), Object.class);
    }

    private static BadInputException refusal(JacksonException e) {
        boolean isAboutAValue = e instanceof DatabindException || e instanceof InputCoercionException;
        if (!isAboutAValue) {
            return unreadable(e);
        }
        if (e.getCause() instanceof DraftException draft) {
            return BadInputException.invalid(draft.getMessage() + ".");
        }
        if (e.getPath().isEmpty()) {
            return e.getOriginalMessage().startsWith("Trailing token")
                    ? BadInputException.unreadable("Not valid JSON: there is more after the object.")
                    : notAnObject();
        }
        String path = e.getPath().stream()
                .map(step -> step.getPropertyName() == null ? "[" + step.getIndex() + "]" : step.getPropertyName())
                .collect(Collectors.joining("."));
        return BadInputException.invalid(path + ": " + problem(e) + ".");
    }

    /** The message of the parser without details that concern only Java programmers. */
    public static BadInputException unreadable(JacksonException e) {
        String problem = PARSER_DETAILS.matcher(e.getOriginalMessage()).replaceAll("");
        return BadInputException.unreadable("Not valid JSON: " + problem + ".");
    }

    private static BadInputException notAnObject() {
        return BadInputException.unreadable("The body must be a JSON object.");
    }

    private static String problem(JacksonException e) {
        return switch (e) {
            case UnrecognizedPropertyException unknown ->
                "is not a known field; known: "
                        + unknown.getKnownPropertyIds().stream()
                                .map(Object::toString)
                                .sorted()
                                .collect(Collectors.joining(", "));
            case MismatchedInputException mismatch
            when mismatch.getTargetType() != null -> "must be " + described(mismatch.getTargetType());
            case InputCoercionException _ -> "must be a whole number";
            case JacksonException number when number.getCause() instanceof NumberFormatException -> "must be a number";
            default -> e.getOriginalMessage();
        };
    }

    private static String described(Class<?> type) {
        return Collection.class.isAssignableFrom(type) ? "an array" : NOUNS.getOrDefault(type, "an object");
    }

    /**
     * Formats a time in UTC with milliseconds. Written by hand, because a response contains a dozen times, and a
     * formatter takes longer than the rest of the serialization.
     */
    public static String time(Instant time) {
        var utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        if (utc.getYear() < 0 || utc.getYear() > 9999) {
            return TIME.format(time);
        }
        var text = "0000-00-00T00:00:00.000Z".toCharArray();
        digits(text, 3, utc.getYear());
        digits(text, 6, utc.getMonthValue());
        digits(text, 9, utc.getDayOfMonth());
        digits(text, 12, utc.getHour());
        digits(text, 15, utc.getMinute());
        digits(text, 18, utc.getSecond());
        digits(text, 22, utc.getNano() / 1_000_000);
        return new String(text);
    }

    /** Writes the digits of a number so that the last one is at the index {@code last}. */
    private static void digits(char[] text, int last, int number) {
        for (int i = last; number > 0; number /= 10) {
            text[i--] = (char) ('0' + number % 10);
        }
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder(FACTORY)
                .addModule(module())
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                // A threshold of 1.5 must not be truncated to 1.
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withConfigOverride(
                        Optional.class,
                        o -> o.setInclude(JsonInclude.Value.construct(
                                JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS)))
                .addMixIn(TenantId.class, TextForm.class)
                .addMixIn(UserId.class, TextForm.class)
                .addMixIn(Present.class, TextForm.class)
                .registerSubtypes(types().toArray(NamedType[]::new))
                .addMixIn(AchievementTrigger.class, TypedForm.class)
                .addMixIn(TriggerRule.class, TypedForm.class)
                .addMixIn(RankBy.class, TypedForm.class)
                .addMixIn(Edit.class, TypedForm.class)
                .addMixIn(AccessRecord.class, TypedForm.class)
                .addMixIn(Outgoing.class, TypedForm.class)
                .addMixIn(Effect.class, EffectForm.class)
                .addMixIn(WebhookPayload.class, TypeFirst.class)
                .addMixIn(Outgoing.Question.class, QuestionForm.class)
                .addMixIn(Achievement.class, StatusForm.class)
                .addMixIn(PointsTrigger.class, StatusForm.class)
                .addMixIn(AccessRecord.AdminKey.class, AdminKeyForm.class)
                .addMixIn(AccessRecord.ApplicationKey.class, ApplicationKeyForm.class)
                .addMixIn(AccessRecord.Tenant.class, StatusForm.class)
                .addMixIn(AccessRecord.Instance.class, WithoutNull.class)
                .addMixIn(AccessEdit.SetMultiTenancy.class, WithoutNull.class)
                .addMixIn(Ruleset.class, WithoutNull.class)
                .addMixIn(FieldMap.class, DraftForm.class)
                .addMixIn(RulesetSource.class, SourceForm.class)
                .addMixIn(ObjectBody.class, FieldsForm.class)
                .addMixIn(VariantBody.class, VariantForm.class)
                .build();
    }

    /**
     * The types of records by the values of the field {@code type}. The variants of configured objects, and effects, have the names of
     * their kinds; other records those of their classes, such as {@code create-admin-keys}.
     */
    private static Stream<NamedType> types() {
        return Stream.of(
                        variants(Achievement.KIND, "trigger"),
                        variants(PointsTrigger.KIND, "type"),
                        variants(Leaderboard.KIND, "rankBy"),
                        Effect.KINDS.stream().map(kind -> new NamedType(kind.recordType(), kind.name())),
                        named(Edit.class),
                        named(AccessRecord.class),
                        named(Outgoing.class))
                .flatMap(types -> types);
    }

    private static Stream<NamedType> variants(Kind<?> kind, String field) {
        return kind.field(field) instanceof Field found && found.type() instanceof Words words
                ? words.words().stream()
                        .map(word -> new NamedType((Class<?>) words.document().apply(word), word))
                : Stream.empty();
    }

    private static Stream<NamedType> named(Class<?> type) {
        if (type.isSealed()) {
            return Arrays.stream(type.getPermittedSubclasses()).flatMap(Json::named);
        }
        String words =
                type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        return Stream.of(new NamedType(type, type == Outgoing.LeaderboardEvent.class ? "board-news" : words));
    }

    private static SimpleModule module() {
        return new SimpleModule("laurel")
                .addSerializer(BigDecimal.class, new PlainNumber())
                .addSerializer(Instant.class, new UtcMillis())
                .addSerializer(ZoneId.class, new ZoneName())
                .addDeserializer(RulesetSource.class, new SourceReader())
                .addDeserializer(ZoneId.class, new ZoneReader());
    }

    /**
     * Writes {@code 12}, never {@code 12.0} or {@code 1.2E1}, because Go and .NET clients decode integers strictly.
     */
    private static final class PlainNumber extends ValueSerializer<BigDecimal> {
        @Override
        public void serialize(BigDecimal value, JsonGenerator json, SerializationContext context) {
            json.writeNumber(plain(value));
        }
    }

    private static final class UtcMillis extends ValueSerializer<Instant> {
        @Override
        public void serialize(Instant value, JsonGenerator json, SerializationContext context) {
            json.writeString(time(value));
        }
    }

    private static final class ZoneName extends ValueSerializer<ZoneId> {
        @Override
        public void serialize(ZoneId value, JsonGenerator json, SerializationContext context) {
            json.writeString(value.getId());
        }
    }

    private static final class ZoneReader extends ValueDeserializer<ZoneId> {
        @Override
        public ZoneId deserialize(JsonParser json, DeserializationContext context) {
            String name = json.getString();
            try {
                return Zones.stored(name);
            } catch (DateTimeException _) {
                return (ZoneId) context.handleWeirdStringValue(ZoneId.class, name, "not a time zone");
            }
        }
    }

    /**
     * The text of an exact number, without exponent or trailing zeros. Only an extremely long number keeps its
     * exponent, because {@code 1e999999999} in full would exhaust the memory; validated input never contains one.
     */
    public static String plain(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        boolean isAbsurd = Math.abs((long) value.scale()) > MAX_PLAIN_DIGITS;
        return isAbsurd ? value.toString() : value.stripTrailingZeros().toPlainString();
    }

    private interface DraftForm {
        @JsonValue
        Map<String, Object> values();
    }

    private interface SourceForm {
        @JsonValue
        FieldMap content();
    }

    private interface FieldsForm {
        @JsonValue
        Map<String, Object> fields();
    }

    private interface VariantForm {

        @JsonUnwrapped
        Object base();
    }

    /** Reads a ruleset by the descriptions of its kinds. */
    private static final class SourceReader extends ValueDeserializer<RulesetSource> {
        @Override
        public RulesetSource deserialize(JsonParser json, DeserializationContext context) {
            if (!json.isExpectedStartObjectToken()) {
                return (RulesetSource) context.handleUnexpectedToken(RulesetSource.class, json);
            }
            try {
                return RulesetSource.of(fields(json));
            } catch (DraftException e) {
                throw DatabindException.from(json, e.getMessage(), e);
            }
        }

        /** Reads the fields of an object. Unlike the mapper, this reports the path of an invalid number. */
        private static Map<String, @Nullable Object> fields(JsonParser json) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                try {
                    json.nextToken();
                    fields.put(name, value(json));
                } catch (JacksonException e) {
                    throw e.prependPath(fields, name);
                }
            }
            return fields;
        }

        private static @Nullable Object value(JsonParser json) {
            return switch (json.currentToken()) {
                case START_OBJECT -> fields(json);
                case START_ARRAY -> {
                    var items = new ArrayList<@Nullable Object>();
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        items.add(value(json));
                    }
                    yield items;
                }
                case VALUE_NUMBER_FLOAT -> decimal(json);
                case VALUE_NUMBER_INT -> json.getNumberValue();
                case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
                case VALUE_NULL -> null;
                default -> json.getString();
            };
        }

        private static BigDecimal decimal(JsonParser json) {
            try {
                return json.getDecimalValue();
            } catch (NumberFormatException e) {
                throw DatabindException.from(json, e.getMessage(), e);
            }
        }
    }

    @JsonPropertyOrder("type")
    private interface TypeFirst {

        @JsonProperty
        String type();
    }

    private interface TextForm {
        @JsonValue
        Object value();
    }

    /** Omits what is derived from the status. */
    private interface StatusForm {
        @JsonIgnore
        boolean isActive();
    }

    /** Writes the name of the record's type before its fields; see {@link #types}. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    private interface TypedForm {}

    /** Ignores the fields that effects of later versions have. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonIgnoreProperties(ignoreUnknown = true)
    private interface EffectForm {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private interface WithoutNull {}

    /** Omits what is derived from the id, and the limits that a key does not have. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private interface AdminKeyForm extends StatusForm {
        @JsonIgnore
        boolean isStartKey();

        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = AdminRole.class)
        Role role();
    }

    /** Omits the role of a key without that limit. */
    private interface ApplicationKeyForm {
        @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = SupportRole.class)
        Role role();
    }

    /** Equals the role that is not written. */
    private static final class SupportRole {

        @Override
        public boolean equals(@Nullable Object value) {
            return value == Role.SUPPORT;
        }

        @Override
        public int hashCode() {
            return Role.SUPPORT.hashCode();
        }
    }

    /** Equals the role that is not written. */
    private static final class AdminRole {

        @Override
        public boolean equals(@Nullable Object value) {
            return value == Role.ADMIN;
        }

        @Override
        public int hashCode() {
            return Role.ADMIN.hashCode();
        }
    }

    /** Reads questions of version 0.1, in which a step of delivery told the next one whether it had more to send. */
    @JsonIgnoreProperties("more")
    private interface QuestionForm {}
}
