package dev.laurel.processors.store.counters;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;

import static dev.laurel.processors.store.StoreKeys.ordered;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys in the store of counters: durable data. The tenant comes first, so that its counters lie together. Texts have their
 * length before them; numbers are big-endian with the sign bit flipped.
 *
 * <pre>
 * tenant kind object attribute value number    a block
 * tenant 255 attribute                         the values of an attribute that are counted on their own
 * </pre>
 */
final class CounterKeys {

    private static final Counter[] COUNTERS = Counter.values();
    private static final int VALUES = 255;

    private CounterKeys() {}

    static Bytes block(CounterBlock.Key key) {
        byte[] value = key.segment().value().getBytes(UTF_8);
        return Bytes.wrap(ofTenant(key.tenant(), 1 + 4 + 4 + 4 + value.length + 4).put((byte) key.counter().ordinal())
                .putInt(ordered(key.object())).putInt(ordered(key.segment().attribute()))
                .putInt(value.length).put(value).putInt(ordered(key.number())).array());
    }

    static Bytes values(TenantId tenant, int attribute) {
        return Bytes.wrap(ofTenant(tenant, 5).put((byte) VALUES).putInt(ordered(attribute)).array());
    }

    /** Whether a key is that of a block, not of the values of an attribute. */
    static boolean isBlock(Bytes key) {
        return key.get()[kindAt(key)] != (byte) VALUES;
    }

    static Counter counterOf(Bytes block) {
        return COUNTERS[block.get()[kindAt(block)]];
    }

    static int objectOf(Bytes block) {
        return ordered(ByteBuffer.wrap(block.get()).getInt(kindAt(block) + 1));
    }

    /** The number at the end of the key of a block. */
    static int numberOf(Bytes block) {
        return StoreKeys.dayOf(block);
    }

    /** The attribute of the segment of a block. */
    static int attributeOf(Bytes block) {
        return ordered(ByteBuffer.wrap(block.get()).getInt(kindAt(block) + 5));
    }

    /** The value of the segment of a block. */
    static String valueOf(Bytes block) {
        ByteBuffer key = ByteBuffer.wrap(block.get()).position(kindAt(block) + 9);
        var value = new byte[key.getInt()];
        key.get(value);
        return new String(value, UTF_8);
    }

    /** Below the keys of an object's blocks with this attribute, and above those with a lower one. */
    static Bytes firstOf(TenantId tenant, Counter counter, int object, int attribute) {
        return Bytes.wrap(ofTenant(tenant, 9).put((byte) counter.ordinal()).putInt(ordered(object))
                .putInt(ordered(attribute)).array());
    }

    private static int kindAt(Bytes key) {
        return 2 + ByteBuffer.wrap(key.get()).getShort();
    }

    /** Below the keys of a kind's blocks. */
    static Bytes firstOf(TenantId tenant, Counter counter) {
        return Bytes.wrap(ofTenant(tenant, 1).put((byte) counter.ordinal()).array());
    }

    /** Above the keys of an object's blocks, and below those of the next object. */
    static Bytes afterObject(TenantId tenant, Counter counter, int object) {
        return StoreKeys.afterAllWith(
                ofTenant(tenant, 5).put((byte) counter.ordinal()).putInt(ordered(object)).array());
    }

    private static ByteBuffer ofTenant(TenantId tenant, int moreBytes) {
        byte[] name = tenant.bytes();
        return ByteBuffer.allocate(2 + name.length + moreBytes).putShort((short) name.length).put(name);
    }
}
