package dev.laurel.schemas.serde;

import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.RulesetKey;
import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Serdes of the topics. A record that cannot be read throws, because only Laurel writes these topics. */
public final class JsonSerdes {

    private JsonSerdes() {}

    public static <T> Serde<T> of(Class<T> type) {
        return serde(Json::write, bytes -> Json.read(bytes, type));
    }

    public static Serde<Effect> effect() {
        return of(Effect.class);
    }

    public static Serde<UserKey> userKey() {
        return serde(UserKey::bytes, UserKey::parse);
    }

    public static Serde<TenantId> tenant() {
        return serde(TenantId::bytes, bytes -> new TenantId(new String(bytes, UTF_8)));
    }

    public static Serde<Command> command() {
        return serde(CommandJson::write, bytes -> {
            try {
                return CommandJson.read(bytes);
            } catch (BadInputException e) {
                throw new SerializationException(e.getMessage(), e);
            }
        });
    }

    /** A number in decimal digits. */
    public static Serde<Integer> number() {
        return serde(number -> number.toString().getBytes(UTF_8), bytes -> Integer.valueOf(new String(bytes, UTF_8)));
    }

    /** {@code tenant@version}; the version follows the last {@code @}. */
    public static Serde<RulesetKey> rulesetKey() {
        return serde(key -> (key.tenant().value() + "@" + key.version()).getBytes(UTF_8), bytes -> {
            String text = new String(bytes, UTF_8);
            int at = text.lastIndexOf('@');
            return new RulesetKey(new TenantId(text.substring(0, at)), Long.parseLong(text.substring(at + 1)));
        });
    }

    private static <T> Serde<T> serde(Function<T, byte[]> write, Function<byte[], T> read) {
        return Serdes.serdeFrom((_, value) -> value == null ? null : write.apply(value),
                (_, bytes) -> bytes == null ? null : read.apply(bytes));
    }
}
