package dev.laurel.processors.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The stored form of each type of field, by its bytes. */
class FormTest {

    /** A value with fields of all types that have a form and compare by value. */
    private record Everything(
            int number,
            long big,
            boolean flag,
            String text,
            UUID id,
            BigDecimal decimal,
            Instant at,
            LocalDate date,
            DayOfWeek constant,
            Bytes bytes,
            List<UserId> users,
            Shape shape,
            @Nullable Integer some,
            @Nullable List<String> none,
            Shape.@Nullable Circle circle,
            Map<DayOfWeek, Set<Boolean>> map) {}

    private sealed interface Shape {

        record Circle(int radius) implements Shape {}

        record Nothing() implements Shape {}
    }

    private record Positive(int number) {

        Positive {
            if (number <= 0) {
                throw new IllegalArgumentException("not positive: " + number);
            }
        }
    }

    private record Unsupported(List<SortedMap<String, Long>> maps) {}

    private static final Codec<Everything> CODEC = Codec.of("thing", 7, Everything.class);
    private static final Everything VALUE = new Everything(
            -3,
            1_772_618_400_000L,
            true,
            "ä",
            new UUID(1, 2),
            new BigDecimal("-0.5"),
            Instant.ofEpochMilli(-1),
            LocalDate.ofEpochDay(64),
            DayOfWeek.SUNDAY,
            Bytes.wrap(new byte[] {9, 8}),
            List.of(new UserId("ann"), new UserId("b")),
            new Shape.Nothing(),
            300,
            null,
            new Shape.Circle(5),
            Map.of(DayOfWeek.MONDAY, Set.of(true)));

    @Test
    void shouldWriteComponentsInTheirOrder() {
        String hex = "07" + "05" + "8084d2849767" + "01" + "02c3a4"
                + "0100000000000000" + "0200000000000000" + "0209" + "01" + "8001" + "06" + "020908"
                + "02" + "03616e6e" + "0162" + "01" + "01d804" + "00" + "010a" + "01" + "00" + "0101";

        assertEquals(hex, HexFormat.of().formatHex(CODEC.encode(VALUE)));
        assertEquals(VALUE, CODEC.decode(HexFormat.of().parseHex(hex)));
    }

    @Test
    void shouldReadBackSimpleValuesAndLists() {
        assertEquals(-1L, roundTrip(Codec.of("number", 1, Long.class), -1L));
        assertArrayEquals(new long[] {5, -5}, roundTrip(Codec.of("numbers", 1, long[].class), new long[] {5, -5}));
        assertArrayEquals(new byte[] {1}, roundTrip(Codec.of("bytes", 1, byte[].class), new byte[] {1}));
        assertEquals(new Shape.Circle(1), roundTrip(Codec.of("shape", 1, Shape.class), new Shape.Circle(1)));
        assertEquals(
                List.of(TenantId.NONE), roundTrip(Codec.ofList("tenants", 1, TenantId.class), List.of(TenantId.NONE)));
        assertEquals(List.of(), roundTrip(Codec.ofList("tenants", 1, TenantId.class), List.of()));
    }

    private static <T> T roundTrip(Codec<T> codec, T value) {
        return codec.decode(codec.encode(value));
    }

    @Test
    void shouldRefuseATypeWithoutAForm() {
        assertEquals(
                "values of java.util.SortedMap<java.lang.String, java.lang.Long> have no stored form",
                assertThrows(IllegalArgumentException.class, () -> Codec.of("maps", 1, Unsupported.class))
                        .getMessage());
    }

    @Test
    void shouldRefuseWhatTheConstructorRefuses() {
        var codec = Codec.of("positive number", 1, Positive.class);

        assertEquals(new Positive(1), codec.decode(new byte[] {1, 2}));
        assertThrows(StoredFormatException.class, () -> codec.decode(new byte[] {1, 1}));
    }

    @Test
    void shouldRefuseUnknownConstantsAndTypes() {
        var days = Codec.of("day", 1, DayOfWeek.class);
        var shapes = Codec.of("shape", 1, Shape.class);

        assertThrows(StoredFormatException.class, () -> days.decode(new byte[] {1, 7}));
        assertThrows(StoredFormatException.class, () -> shapes.decode(new byte[] {1, 2}));
    }

    @Test
    void shouldRefuseACountAboveTheBytesThatAreLeft() {
        byte[] many = HexFormat.of().parseHex("01ffffffff07");

        assertThrows(
                StoredFormatException.class,
                () -> Codec.ofList("texts", 1, String.class).decode(many));
        assertThrows(
                StoredFormatException.class,
                () -> Codec.of("numbers", 1, long[].class).decode(many));
    }

    @Test
    void shouldRefuseOtherVersionsAndLengths() {
        byte[] stored = CODEC.encode(VALUE);
        for (int version : new int[] {6, 8, 0, -1}) {
            byte[] other = stored.clone();
            other[0] = (byte) version;
            assertThrows(StoredFormatException.class, () -> CODEC.decode(other), "version " + version);
        }
        for (int length = 0; length <= stored.length + 1; length++) {
            byte[] changed = Arrays.copyOf(stored, length);
            if (length != stored.length) {
                assertThrows(StoredFormatException.class, () -> CODEC.decode(changed), length + " bytes");
            }
        }
    }

    @Test
    void shouldRefuseDamagedBytesOrReadThemAsAnotherValue() {
        byte[] stored = CODEC.encode(VALUE);
        var random = new Random(7);
        var others = new ArrayList<Everything>();
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = stored.clone();
            for (int hits = random.nextInt(4); hits >= 0; hits--) {
                damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
            }
            try {
                others.add(CODEC.decode(damaged));
            } catch (StoredFormatException _) {
                // Expected for most damages; any other exception fails the test.
            }
        }
        assertTrue(others.size() < 20_000);
    }
}
