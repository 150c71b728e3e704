package dev.laurel.processors.store.counters;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import org.apache.kafka.common.utils.Bytes;

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
        return ofObject(key.tenant(), key.counter(), key.object())
                .ordered(key.segment().attribute())
                .longText(key.segment().value())
                .ordered(key.number())
                .toKey();
    }

    static Bytes values(TenantId tenant, int attribute) {
        return new KeyWriter().tenant(tenant).letter(VALUES).ordered(attribute).toKey();
    }

    /** Whether a key is that of a block, not of the values of an attribute. */
    static boolean isBlock(Bytes key) {
        return kindOf(key) != (byte) VALUES;
    }

    static Counter counterOf(Bytes block) {
        return COUNTERS[kindOf(block)];
    }

    static int objectOf(Bytes block) {
        return behindKind(block).orderedInt();
    }

    /** The number at the end of the key of a block. */
    static int numberOf(Bytes block) {
        return StoreKeys.dayOf(block);
    }

    /** The attribute of the segment of a block. */
    static int attributeOf(Bytes block) {
        return behindKind(block).skip(Integer.BYTES).orderedInt();
    }

    /** The value of the segment of a block. */
    static String valueOf(Bytes block) {
        return behindKind(block).skip(2 * Integer.BYTES).longText();
    }

    /** Below the keys of an object's blocks with this attribute, and above those with a lower one. */
    static Bytes firstOf(TenantId tenant, Counter counter, int object, int attribute) {
        return ofObject(tenant, counter, object).ordered(attribute).toKey();
    }

    private static byte kindOf(Bytes key) {
        return KeyReader.behindTenant(key, 0).letter();
    }

    private static KeyReader behindKind(Bytes block) {
        return KeyReader.behindTenant(block, 0).skip(1);
    }

    /** Below the keys of a kind's blocks. */
    static Bytes firstOf(TenantId tenant, Counter counter) {
        return ofKind(tenant, counter).toKey();
    }

    /** Above the keys of an object's blocks, and below those of the next object. */
    static Bytes afterObject(TenantId tenant, Counter counter, int object) {
        return StoreKeys.afterAllWith(ofObject(tenant, counter, object).toBytes());
    }

    private static KeyWriter ofObject(TenantId tenant, Counter counter, int object) {
        return ofKind(tenant, counter).ordered(object);
    }

    private static KeyWriter ofKind(TenantId tenant, Counter counter) {
        return new KeyWriter().tenant(tenant).letter(counter.ordinal());
    }
}
