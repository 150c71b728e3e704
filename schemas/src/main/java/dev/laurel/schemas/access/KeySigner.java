package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One of the secrets that sign application keys ({@link SignedKey}). It has a number, which the keys contain: a new secret signs from then
 * on, and keys of the former one stay valid until that is removed. Derived from a stored random secret alone, so that a new admin key of
 * the start ends no key of an app. Immutable; never printed.
 */
final class KeySigner {

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
        return new Secret(TenantId.NONE, OWNER, Integer.toString(number),
                HexFormat.of().formatHex(Hmac.sha256(entropy, KEYS)));
    }

    @Override
    public String toString() {
        return "signer " + number + " of application keys";
    }

    /** The secrets of an instance, by number. Immutable. */
    static final class Signers {

        static final Signers NONE = new Signers(new KeySigner[MAX_NUMBER + 1]);

        private final @Nullable KeySigner[] byNumber;

        private Signers(@Nullable KeySigner[] byNumber) {
            this.byNumber = byNumber;
        }

        /** @param number may be none of a secret */
        @Nullable
        KeySigner find(int number) {
            return byNumber[number];
        }

        /** The one that signs new keys; null if there is none yet, because no node of this version has made one. */
        @Nullable
        KeySigner newest() {
            for (int i = MAX_NUMBER; i > 0; i--) {
                if (byNumber[i] != null) {
                    return byNumber[i];
                }
            }
            return null;
        }

        /** These with a secret whose record is this one. @param value null: it is removed */
        Signers with(String name, @Nullable String value) {
            if (!name.matches("[1-9][0-9]{0,2}") || Integer.parseInt(name) > MAX_NUMBER) {
                return this;
            }
            int number = Integer.parseInt(name);
            @Nullable
            KeySigner[] changed = Arrays.copyOf(byNumber, byNumber.length);
            changed[number] = value == null ? null : new KeySigner(number, value.getBytes(UTF_8));
            return new Signers(changed);
        }
    }
}
