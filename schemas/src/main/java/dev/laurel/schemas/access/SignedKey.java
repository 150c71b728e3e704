package dev.laurel.schemas.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An application key that says itself what it opens, so that no process has to know all keys of all users (docs/operations/security.md
 * "Application keys"). Its text has the form of other application keys. The part behind the dot is, in {@link Base62}: a form, flags, the
 * id, the time of expiry if there is one, the key of the user, and an HMAC-SHA256 of the whole by a {@link KeySigner}. A key is valid if
 * it is authentic, has not expired and is not among the {@link RevokedKeys}.
 *
 * <p>The id is a UUID of version 8. The first 32 bits are those of {@code UserResourceIds}, from which the partition of the user
 * follows. Then come the day of expiry, the number of the signer, random bits, and a code by which the signer recognizes its ids: an
 * id that no process has made is refused without a list of all.
 *
 * @param owner the user whose data the key opens
 * @param role {@link Role#VIEWER} or {@link Role#SUPPORT}
 * @param expires null: never
 */
public record SignedKey(
        UUID id, UserKey owner, Role role, @Nullable Instant expires) {

    /** The {@link #lastDayOf} of keys that never expire. */
    static final int NEVER = 0;

    private static final byte FORM = 1;
    private static final int VIEWER = 1;
    private static final int EXPIRES = 2;
    private static final int MAC_BYTES = 32;
    private static final int ID_BYTES = 16;
    private static final long MS_PER_DAY = Duration.ofDays(1).toMillis();
    private static final int PREFIX_LENGTH = 8;

    /** 62^8. */
    private static final long PREFIXES = 218_340_105_584_896L;

    /** Keys that are stored as records have shorter secrets. */
    private static final int MIN_SECRET_LENGTH = 50;

    /** Exceeds the key of the longest user of the longest tenant. */
    private static final int MAX_LENGTH = 2_400;

    /** The bits of an id before the code, except those of the version. */
    private static final long VERSION = 0x8000L;

    private static final long VERSION_MASK = 0xF000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final int EXPIRY_SHIFT = 16;
    private static final int SIGNER_SHIFT = 4;

    /**
     * A new key.
     *
     * @param base 32 bits of {@code UserResourceIds} for this user; the others are random
     * @return null if the instance has no signer yet
     */
    public static @Nullable SignedKey of(
            UserKey owner, Role role, @Nullable Instant expires, UUID base, KeySigner.Signers signers) {
        KeySigner signer = signers.newest();
        if (signer == null) {
            return null;
        }
        long day = expires == null ? NEVER : Math.ceilDiv(expires.toEpochMilli(), MS_PER_DAY);
        long high = base.getMostSignificantBits() & 0xFFFF_FFFF_0000_000FL
                | day << EXPIRY_SHIFT
                | VERSION
                | (long) signer.number() << SIGNER_SHIFT;
        long low = base.getLeastSignificantBits() & 0x3FFF_FFFF_0000_0000L | VARIANT;
        return new SignedKey(new UUID(high, low | codeOf(high, low, owner.tenant(), signer)), owner, role, expires);
    }

    private static long codeOf(long high, long low, TenantId tenant, KeySigner signer) {
        byte[] name = tenant.value().getBytes(UTF_8);
        byte[] content = ByteBuffer.allocate(ID_BYTES + name.length)
                .putLong(high)
                .putLong(low & ~0xFFFF_FFFFL)
                .put(name)
                .array();
        return Integer.toUnsignedLong(ByteBuffer.wrap(signer.ofId(content)).getInt());
    }

    /** Whether this is the id of a signed key, and not of one that is stored as a record. */
    public static boolean isIdOfSigned(UUID id) {
        return (id.getMostSignificantBits() & VERSION_MASK) == VERSION;
    }

    /** Whether a process of this instance has made this id for a user of this tenant; false if its signer is gone. */
    public static boolean isIssued(UUID id, TenantId tenant, KeySigner.Signers signers) {
        KeySigner signer = isIdOfSigned(id) ? signers.find(signerOf(id)) : null;
        long low = id.getLeastSignificantBits();
        return signer != null && codeOf(id.getMostSignificantBits(), low, tenant, signer) == (low & 0xFFFF_FFFFL);
    }

    private static int signerOf(UUID id) {
        return (int) (id.getMostSignificantBits() >>> SIGNER_SHIFT) & 0xFF;
    }

    /** The day since 1970, in UTC, at whose beginning the key has expired; {@link #NEVER} if it does not. */
    static int lastDayOf(UUID id) {
        return (int) (id.getMostSignificantBits() >>> EXPIRY_SHIFT) & 0xFFFF;
    }

    /** The part of the text before the dot. */
    public static String prefixOf(UUID id) {
        long number = Long.remainderUnsigned(id.getMostSignificantBits() * 31 ^ id.getLeastSignificantBits(), PREFIXES);
        return ApiKey.APPLICATION + Base62.encode(number, PREFIX_LENGTH);
    }

    /** The key as its user gets it. @throws IllegalStateException if the signer is gone */
    public ApiKey text(KeySigner.Signers signers) {
        KeySigner signer = signers.find(signerOf(id));
        if (signer == null) {
            throw new IllegalStateException("there is no signer " + signerOf(id) + " of application keys");
        }
        byte[] content = content();
        String prefix = prefixOf(id);
        var secret =
                ByteBuffer.allocate(content.length + MAC_BYTES).put(content).put(macOf(signer, prefix, content));
        return new ApiKey(prefix + "." + Base62.encode(secret.array()));
    }

    private byte[] content() {
        byte[] user = owner.bytes();
        var content = ByteBuffer.allocate(2 + ID_BYTES + (expires == null ? 0 : Long.BYTES) + user.length);
        content.put(FORM).put((byte) ((role == Role.VIEWER ? VIEWER : 0) | (expires == null ? 0 : EXPIRES)));
        content.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        if (expires != null) {
            content.putLong(expires.toEpochMilli());
        }
        return content.put(user).array();
    }

    private static byte[] macOf(KeySigner signer, String prefix, byte[] content) {
        byte[] head = (prefix + ".").getBytes(US_ASCII);
        return signer.ofKey(ByteBuffer.allocate(head.length + content.length)
                .put(head)
                .put(content)
                .array());
    }

    /** Whether a text may be that of a signed key, and cannot be that of one that is stored as a record. */
    static boolean hasForm(String text) {
        return text.startsWith(ApiKey.APPLICATION)
                && text.length() <= MAX_LENGTH
                && text.length() - text.indexOf('.') > MIN_SECRET_LENGTH;
    }

    /**
     * The key with this text, which may have expired or been revoked; null if it is not authentic. Its cost depends on the length only.
     */
    static @Nullable SignedKey read(String text, KeySigner.Signers signers) {
        int dot = text.indexOf('.');
        byte[] secret = dot < 0 ? null : Base62.decode(text.substring(dot + 1));
        if (secret == null || secret.length <= 2 + ID_BYTES + MAC_BYTES || secret[0] != FORM) {
            return null;
        }
        byte[] content = Arrays.copyOf(secret, secret.length - MAC_BYTES);
        var fields = ByteBuffer.wrap(content, 1, content.length - 1);
        int flags = fields.get();
        var id = new UUID(fields.getLong(), fields.getLong());
        KeySigner signer = signers.find(signerOf(id));
        if (signer == null
                || !MessageDigest.isEqual(
                        macOf(signer, text.substring(0, dot), content),
                        Arrays.copyOfRange(secret, content.length, secret.length))) {
            return null;
        }
        // From here on, a process of this instance has written the content.
        Instant expires = (flags & EXPIRES) == 0 ? null : Instant.ofEpochMilli(fields.getLong());
        var user = new byte[fields.remaining()];
        fields.get(user);
        return new SignedKey(id, UserKey.parse(user), (flags & VIEWER) == 0 ? Role.SUPPORT : Role.VIEWER, expires);
    }

    /**
     * Bytes as letters and digits. Eight bytes are eleven characters, the last ones as few as they need, so that the work grows with the
     * length only. A text has one form: what cannot be the result of {@link #encode} is refused.
     */
    static final class Base62 {

        private static final int RADIX = 62;

        /** The characters that this many bytes need. */
        private static final int[] CHARS = {0, 2, 3, 5, 6, 7, 9, 10, 11};

        private static final byte[] DIGITS = new byte[128];

        static {
            Arrays.fill(DIGITS, (byte) -1);
            for (int i = 0; i < RADIX; i++) {
                DIGITS[ApiKey.ALPHABET.charAt(i)] = (byte) i;
            }
        }

        private Base62() {}

        static String encode(byte[] bytes) {
            var text = new char[lengthOf(bytes.length)];
            int at = 0;
            for (int from = 0; from < bytes.length; from += Long.BYTES) {
                int size = Math.min(Long.BYTES, bytes.length - from);
                long block = 0;
                for (int i = 0; i < size; i++) {
                    block = block << 8 | bytes[from + i] & 0xFF;
                }
                write(block, text, at, CHARS[size]);
                at += CHARS[size];
            }
            return new String(text);
        }

        private static int lengthOf(int bytes) {
            return bytes / Long.BYTES * CHARS[Long.BYTES] + CHARS[bytes % Long.BYTES];
        }

        private static void write(long number, char[] text, int at, int length) {
            long left = number;
            for (int i = at + length - 1; i >= at; i--) {
                text[i] = ApiKey.ALPHABET.charAt((int) Long.remainderUnsigned(left, RADIX));
                left = Long.divideUnsigned(left, RADIX);
            }
        }

        /** This number, from 0 to 62^length, in this many characters. */
        static String encode(long number, int length) {
            var text = new char[length];
            write(number, text, 0, length);
            return new String(text);
        }

        /** Null if no bytes have this text. */
        static byte @Nullable [] decode(String text) {
            int size = sizeOf(text.length());
            if (size < 0) {
                return null;
            }
            var bytes = ByteBuffer.allocate(size);
            int at = 0;
            while (bytes.hasRemaining()) {
                int count = Math.min(Long.BYTES, bytes.remaining());
                long block = 0;
                for (int end = at + CHARS[count]; at < end; at++) {
                    int digit = text.charAt(at) < DIGITS.length ? DIGITS[text.charAt(at)] : -1;
                    // Only the last of eleven digits can make the number too large: 62^10 is below 2^64.
                    if (digit < 0
                            || count == Long.BYTES
                                    && at == end - 1
                                    && Long.compareUnsigned(block, Long.divideUnsigned(-1L - digit, RADIX)) > 0) {
                        return null;
                    }
                    block = block * RADIX + digit;
                }
                if (count < Long.BYTES && block >>> count * 8 != 0) {
                    return null;
                }
                for (int i = count - 1; i >= 0; i--) {
                    bytes.put((byte) (block >>> i * 8));
                }
            }
            return bytes.array();
        }

        /** -1 if no number of bytes has this many characters. */
        private static int sizeOf(int length) {
            int rest = Arrays.binarySearch(CHARS, length % CHARS[Long.BYTES]);
            return rest < 0 ? -1 : length / CHARS[Long.BYTES] * Long.BYTES + rest;
        }
    }

    /**
     * One of the secrets that sign application keys ({@link SignedKey}). It has a number, which the keys contain: a new secret signs
     * from then on, and keys of the former one stay valid until that is removed. Derived from a stored random secret alone, so that a
     * new admin key of the start ends no key of an app. Immutable; never printed.
     */
    public static final class KeySigner {

        /** The owner of the secrets, of no tenant; the name of a secret is its number. */
        static final String OWNER = "application-keys";

        static final int MAX_NUMBER = 255;

        private static final String KEYS = "laurel application keys 1";
        private static final String IDS = "laurel application key ids 1";

        private final int number;
        private final byte[] keys;
        private final byte[] ids;

        private KeySigner(int number, byte[] secret) {
            this.number = number;
            this.keys = Hmac.sha256(secret, KEYS);
            this.ids = Hmac.sha256(secret, IDS);
        }

        int number() {
            return number;
        }

        /** The authentication code of a key. @return 32 bytes */
        byte[] ofKey(byte[] content) {
            return Hmac.sha256(keys, content);
        }

        /** The authentication code of an id of a key. @return 32 bytes */
        byte[] ofId(byte[] content) {
            return Hmac.sha256(ids, content);
        }

        /** The secret to store; empty if there is one. @param entropy supplies 32 random bytes */
        static List<Secret> missing(Signers signers, Supplier<byte[]> entropy) {
            return signers.newest() != null ? List.of() : List.of(secret(1, entropy.get()));
        }

        private static Secret secret(int number, byte[] entropy) {
            return new Secret(
                    TenantId.NONE,
                    OWNER,
                    Integer.toString(number),
                    HexFormat.of().formatHex(Hmac.sha256(entropy, KEYS)));
        }

        @Override
        public String toString() {
            return "signer " + number + " of application keys";
        }

        /** The secrets of an instance, by number. Immutable. */
        public static final class Signers {

            static final Signers NONE = new Signers(new TreeMap<>());

            private final NavigableMap<Integer, KeySigner> byNumber;

            private Signers(NavigableMap<Integer, KeySigner> byNumber) {
                this.byNumber = byNumber;
            }

            /** @param number may be none of a secret */
            @Nullable
            KeySigner find(int number) {
                return byNumber.get(number);
            }

            /** The one that signs new keys; null if there is none yet, because no node of this version has made one. */
            @Nullable
            KeySigner newest() {
                Map.Entry<Integer, KeySigner> last = byNumber.lastEntry();
                return last == null ? null : last.getValue();
            }

            /** These with a secret whose record is this one. @param value null: it is removed */
            Signers with(String name, @Nullable String value) {
                if (!name.matches("[1-9][0-9]{0,2}") || Integer.parseInt(name) > MAX_NUMBER) {
                    return this;
                }
                int number = Integer.parseInt(name);
                var changed = new TreeMap<>(byNumber);
                if (value == null) {
                    changed.remove(number);
                } else {
                    changed.put(number, new KeySigner(number, value.getBytes(UTF_8)));
                }
                return new Signers(changed);
            }
        }
    }
}
