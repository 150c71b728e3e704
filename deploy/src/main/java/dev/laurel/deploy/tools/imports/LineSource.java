package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.tools.imports.ImportSource.Entry;
import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Lines of JSON with one command each; blank lines and a byte order mark at the beginning are skipped. The input may grow
 * at its end between two imports: the hash of all bytes before a position proves that they are what they were.
 */
public final class LineSource implements ImportSource {

    /** A record with its headers must fit the broker's limit of 1 MiB. */
    static final int MAX_LINE_BYTES = 900_000;

    private static final int SHOWN_CHARACTERS = 10_000;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final InstantSource clock;
    private final TenantId tenant;
    private final LineReader lines;

    /**
     * @param in at its beginning; closed with this source
     * @param tenant tenant of the users
     */
    LineSource(InputStream in, InstantSource clock, TenantId tenant) {
        this.tenant = tenant;
        this.clock = clock;
        this.lines = new LineReader(in, MAX_LINE_BYTES);
    }

    @Override
    public Position position() {
        return lines.position();
    }

    @Override
    public @Nullable String skipTo(Position position) throws IOException {
        String imported = "the part that was imported, up to line " + position.number() + ", ";
        if (!lines.skip(position.offset())) {
            return imported + "is longer than the whole source";
        }
        if (!position.before().equals(lines.position().before())) {
            return imported + "has changed";
        }
        lines.continueAfter(position.number());
        return null;
    }

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public @Nullable Entry next() throws IOException {
        Position before = lines.position();
        while (lines.advance()) {
            byte @Nullable [] line = lines.line();
            if (line == null) {
                return refused(before, "is longer than " + MAX_LINE_BYTES + " bytes", "");
            }
            if (!isBlank(line)) {
                return entry(before, line);
            }
            before = lines.position();
        }
        return null;
    }

    private Entry entry(Position before, byte[] line) {
        try {
            ImportLine command = ImportLine.parse(line, clock.instant());
            return new Entry.Ready(
                    lines.position(),
                    command.time().toEpochMilli(),
                    new UserKey(tenant, command.user()).bytes(),
                    command.value());
        } catch (BadInputException e) {
            return refused(
                    before,
                    String.valueOf(e.getMessage()),
                    UnicodeText.cut(new String(line, StandardCharsets.UTF_8), SHOWN_CHARACTERS));
        }
    }

    /** The program that writes the file may continue a last line without an end, so the next run reads that line again. */
    private Entry refused(Position before, String reason, String text) {
        return new Entry.Refused(lines.position().number(), lines.isEnded() ? lines.position() : before, reason, text);
    }

    /** Whether it is white space of JSON. */
    static boolean hasByteOrderMark(byte[] line) {
        return Arrays.equals(Arrays.copyOf(line, BYTE_ORDER_MARK.length), BYTE_ORDER_MARK);
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        lines.in.close();
    }

    /** Splits bytes into lines, and tracks and proves their positions. Skips lines that are too long. Used by one thread. */
    private static final class LineReader {

        private static final int BUFFER_BYTES = 256 * 1024;

        private final InputStream in;
        private final int maxLength;
        private final MessageDigest hash = sha256();
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        private int next;
        private int end;
        private Position position = new Position(0, 0, hashOf(hash));
        private byte last = '\n';
        private boolean isRest;
        private boolean isTooLong;

        /** @param in at its beginning */
        LineReader(InputStream in, int maxLength) {
            this.in = in;
            this.maxLength = maxLength;
        }

        private static String hashOf(MessageDigest bytes) {
            try {
                return HexFormat.of().formatHex(((MessageDigest) bytes.clone()).digest());
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
            }
        }

        /** Reads the next line; returns false at the end of the input. */
        boolean advance() throws IOException {
            line.reset();
            isTooLong = false;
            long offset = position.offset();
            boolean hasAny = false;
            while (next < end || fill()) {
                hasAny = true;
                int stop = next;
                while (stop < end && buffer[stop] != '\n') {
                    stop++;
                }
                append(stop - next);
                int after = Math.min(end, stop + 1);
                offset += after - next;
                take(after - next);
                if (stop < end) {
                    break;
                }
            }
            if (hasAny) {
                boolean isEndOnly = isRest && !isTooLong && isBlank(line.toByteArray());
                position = new Position(position.number() + (isEndOnly ? 0 : 1), offset, hashOf(hash));
                isRest = false;
            }
            return hasAny;
        }

        private boolean fill() throws IOException {
            next = 0;
            end = Math.max(0, in.read(buffer));
            return end > 0;
        }

        private void take(int length) {
            hash.update(buffer, next, length);
            next += length;
            last = buffer[next - 1];
        }

        private void append(int length) {
            isTooLong |= line.size() + length > maxLength;
            if (!isTooLong) {
                line.write(buffer, next, length);
            }
        }

        /** Reads so many bytes from the beginning; returns false if there are fewer. */
        boolean skip(long length) throws IOException {
            long left = length;
            while (left > 0 && (next < end || fill())) {
                int step = (int) Math.min(left, end - next);
                take(step);
                left -= step;
            }
            position = new Position(0, length - left, hashOf(hash));
            return left == 0;
        }

        /** Continues after a line, whose rest follows if what is before the position does not end as lines do. */
        void continueAfter(long number) {
            position = Records.with(position, "number", number);
            isRest = !isEnded();
        }

        /** Whether the line, or what is before the position, ends as lines do. */
        boolean isEnded() {
            return last == '\n';
        }

        /** Returns the line without its end, and without a byte order mark of the input; null if it is too long. */
        byte @Nullable [] line() {
            if (isTooLong) {
                return null;
            }
            byte[] bytes = line.toByteArray();
            boolean hasMark = position.number() == 1 && hasByteOrderMark(bytes);
            boolean hasReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
            return Arrays.copyOfRange(bytes, hasMark ? BYTE_ORDER_MARK.length : 0, bytes.length - (hasReturn ? 1 : 0));
        }

        /** Position after the line. */
        Position position() {
            return position;
        }
    }
}
