package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
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
 * Lines of JSON with one command each; blank lines are skipped. The input may grow at its end between two imports;
 * its first bytes identify it.
 */
final class LineSource implements ImportSource {

    /** A record with its headers must fit the broker's limit of 1 MiB. */
    static final int MAX_LINE_BYTES = 900_000;
    private static final int HEAD_BYTES = 4096;
    private static final int SHOWN_CHARACTERS = 10_000;

    private final BufferedInputStream in;
    private final InstantSource clock;
    private final TenantId tenant;
    private LineReader lines;

    /**
     * @param in at its beginning; closed with this source
     * @param tenant tenant of the users
     */
    LineSource(InputStream in, InstantSource clock, TenantId tenant) {
        this.tenant = tenant;
        this.in = new BufferedInputStream(in, HEAD_BYTES);
        this.clock = clock;
        this.lines = new LineReader(this.in, MAX_LINE_BYTES, Position.START);
    }

    @Override
    public String fingerprint() throws IOException {
        return fingerprint(HEAD_BYTES);
    }

    @Override
    public boolean matches(String fingerprint) throws IOException {
        int length = Integer.parseInt(fingerprint.substring(0, fingerprint.indexOf(':')));
        return fingerprint(length).equals(fingerprint);
    }

    /**
     * Returns the hash of the first bytes, with their number, because the file may have been shorter at its first
     * import.
     */
    private String fingerprint(int length) throws IOException {
        in.mark(length);
        byte[] head = in.readNBytes(length);
        in.reset();
        return head.length + ":" + HexFormat.of().formatHex(Arrays.copyOf(sha256(head), 16));
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void skipTo(Position position) throws IOException {
        try {
            in.skipNBytes(position.offset());
        } catch (EOFException e) {
            throw new CommandFailed("the input is shorter than the part that was imported before", e);
        }
        lines = new LineReader(in, MAX_LINE_BYTES, position);
    }

    @Override
    public @Nullable Entry next() throws IOException {
        while (lines.advance()) {
            byte @Nullable [] line = lines.line();
            if (line == null) {
                return new Entry.Refused(lines.position(), "is longer than " + MAX_LINE_BYTES + " bytes", "");
            }
            if (!isBlank(line)) {
                return entry(lines.position(), line);
            }
        }
        return null;
    }

    private Entry entry(Position position, byte[] line) {
        try {
            ImportLine command = ImportLine.parse(line, clock.instant());
            return new Entry.Ready(position, command.time().toEpochMilli(),
                    new UserKey(tenant, command.user()).bytes(), command.value());
        } catch (BadInputException e) {
            String text = new String(line, StandardCharsets.UTF_8);
            return new Entry.Refused(position, String.valueOf(e.getMessage()),
                    text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) : text);
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Splits bytes into lines and tracks their positions. Skips lines that are too long. Used by one thread. */
    static final class LineReader {

        private static final int BUFFER_BYTES = 256 * 1024;

        private final InputStream in;
        private final int maxLength;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        private int next;
        private int end;
        private Position position;
        private boolean isTooLong;

        /** @param position present position of {@code in} */
        LineReader(InputStream in, int maxLength, Position position) {
            this.in = in;
            this.maxLength = maxLength;
            this.position = position;
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
                offset += stop - next;
                next = stop;
                if (stop < end) {
                    next++;
                    offset++;
                    break;
                }
            }
            if (hasAny) {
                position = new Position(position.number() + 1, offset);
            }
            return hasAny;
        }

        private boolean fill() throws IOException {
            next = 0;
            end = Math.max(0, in.read(buffer));
            return end > 0;
        }

        private void append(int length) {
            isTooLong |= line.size() + length > maxLength;
            if (!isTooLong) {
                line.write(buffer, next, length);
            }
        }

        /** Returns the line without its end; null if it is too long. */
        byte @Nullable [] line() {
            if (isTooLong) {
                return null;
            }
            byte[] bytes = line.toByteArray();
            boolean hasReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
            return hasReturn ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
        }

        /** Position after the line. */
        Position position() {
            return position;
        }
    }
}
