package dev.laurel.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Codec.StoredFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The stored values of delivery keep their form. The approved bytes are files in {@code stored/}; a new form needs a new version, which
 * gets new files. They contain every constant of the enums that are stored by ordinal.
 */
public abstract class StoredForms {

    private static final Path FOLDER = Path.of("src/test/resources/stored");

    /** A value of one of the codecs. */
    public record Example<T>(String file, Codec<T> codec, T value) {

        byte[] encoded() {
            return codec.encode(value);
        }

        T decoded(byte[] bytes) {
            return codec.decode(bytes);
        }
    }

    /** Compares values. */
    protected void assertSameValue(Object expected, Object actual) {
        if (expected instanceof byte[] bytes) {
            assertArrayEquals(bytes, (byte[]) actual);
        } else {
            assertEquals(expected, actual);
        }
    }

    @TestFactory
    protected Stream<DynamicTest> shouldWriteTheApprovedBytes() {
        return each(example -> assertEquals(
                HexFormat.of().formatHex(approved(example)),
                HexFormat.of().formatHex(example.encoded()),
                "the stored form has changed: it needs a new version"));
    }

    @TestFactory
    protected Stream<DynamicTest> shouldReadTheApprovedBytes() {
        return each(example -> assertSameValue(example.value(), example.decoded(approved(example))));
    }

    @TestFactory
    protected Stream<DynamicTest> shouldRefuseOtherVersions() {
        return each(example -> {
            byte[] stored = approved(example);
            for (int version : new int[] {example.codec().version() + 1, 127, 0, -1}) {
                stored[0] = (byte) version;
                assertThrows(StoredFormatException.class, () -> example.decoded(stored), "version " + version);
            }
        });
    }

    @TestFactory
    protected Stream<DynamicTest> shouldRefuseTruncatedAndExtraBytes() {
        return each(example -> {
            byte[] stored = approved(example);
            for (int length = 0; length <= stored.length + 1; length++) {
                byte[] changed = Arrays.copyOf(stored, length);
                if (length != stored.length) {
                    assertThrows(StoredFormatException.class, () -> example.decoded(changed), length + " bytes");
                }
            }
        });
    }

    @TestFactory
    protected Stream<DynamicTest> shouldRefuseDamagedBytesOrReadThemAsAnotherValue() {
        return each(example -> {
            byte[] stored = approved(example);
            var random = new Random(7);
            for (int i = 0; i < 2_000; i++) {
                byte[] damaged = stored.clone();
                for (int hits = random.nextInt(4); hits >= 0; hits--) {
                    damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
                }
                try {
                    example.decoded(damaged);
                } catch (StoredFormatException _) {
                    // Expected for most damages; any other exception fails the test.
                }
            }
        });
    }

    /** Checks one example. */
    private interface Check {

        void check(Example<?> example) throws IOException;
    }

    private Stream<DynamicTest> each(Check check) {
        return examples().stream().map(example -> DynamicTest.dynamicTest(example.file(), () -> check.check(example)));
    }

    /** The values of all codecs. */
    protected abstract List<Example<?>> examples();

    private static byte[] approved(Example<?> example) throws IOException {
        Path file = FOLDER.resolve(example.file() + ".hex");
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(file, HexFormat.of().formatHex(example.encoded()).replaceAll(".{64}", "$0\n") + "\n");
        }
        return HexFormat.of().parseHex(Files.readString(file).replaceAll("\\s", ""));
    }
}
