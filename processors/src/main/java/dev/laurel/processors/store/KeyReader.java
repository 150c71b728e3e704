package dev.laurel.processors.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** Reads the parts of a key, one after the other, as {@link KeyWriter} has written them. One use. */
public final class KeyReader {

    private final ByteBuffer key;

    /** @param from the position of the first part to read */
    public KeyReader(Bytes key, int from) {
        this.key = ByteBuffer.wrap(key.get()).position(from);
    }

    /** Reads what follows a tenant. @param tenantAt the position of the tenant */
    public static KeyReader behindTenant(Bytes key, int tenantAt) {
        var reader = new KeyReader(key, tenantAt);
        return reader.skip(reader.key.getShort());
    }

    public KeyReader skip(int bytes) {
        key.position(key.position() + bytes);
        return this;
    }

    public byte letter() {
        return key.get();
    }

    public String text() {
        return StoreKeys.readText(key);
    }

    public TenantId tenant() {
        return new TenantId(text());
    }

    /** See {@link KeyWriter#ordered(int)}. */
    public int orderedInt() {
        return StoreKeys.ordered(key.getInt());
    }

    public long orderedLong() {
        return StoreKeys.ordered(key.getLong());
    }

    public short number() {
        return key.getShort();
    }

    /** See {@link KeyWriter#longText}. */
    public String longText() {
        var text = new byte[key.getInt()];
        key.get(text);
        return new String(text, UTF_8);
    }

    public UUID id() {
        return StoreKeys.readId(key);
    }

    /** All bytes that were not read. */
    public byte[] rest() {
        var rest = new byte[key.remaining()];
        key.get(rest);
        return rest;
    }

    /** Works like {@link #rest}, for a text. */
    public String restText() {
        return new String(rest(), UTF_8);
    }
}
