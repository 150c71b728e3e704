package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Lines of JSON, one command each; blank lines are passed over. The input may grow at its end between two imports: it is
 * known again by its first bytes.
 */
final class LineSource implements ImportSource {

    /** A record must fit the broker's limit of 1 MiB with its headers. */
    static final int MAX_LINE_BYTES = 900_000;
    private static final int HEAD_BYTES = 4096;
    private static final int SHOWN_CHARACTERS = 10_000;

    private final BufferedInputStream in;
    private final InstantSource clock;
    private final TenantId tenant;
    private LineReader lines;

    /** @param in read from its beginning, closed by this @param tenant whose users the lines are about */
    LineSource(InputStream in, InstantSource clock, TenantId tenant) {
        this.tenant = tenant;
        this.in = new BufferedInputStream(in, HEAD_BYTES);
        this.clock = clock;
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

    /** The hash of the first bytes, with how many there were: a file may have been shorter at its first import. */
    private String fingerprint(int length) throws IOException {
        in.mark(length);
        byte[] head = in.readNBytes(length);
        in.reset();
        return head.length + ":" + HexFormat.of().formatHex(Arrays.copyOf(sha256(head), 16));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void skipTo(Place place) throws IOException {
        try {
            in.skipNBytes(place.position());
        } catch (EOFException e) {
            throw new CommandFailed("the input is shorter than what was imported of it before", e);
        }
        lines = new LineReader(in, MAX_LINE_BYTES, place);
    }

    @Override
    public ImportEntry next() throws IOException {
        if (lines == null) {
            skipTo(Place.START);
        }
        while (lines.advance()) {
            byte[] line = lines.line();
            if (line == null) {
                return new ImportEntry.Refused(lines.place(), "is longer than " + MAX_LINE_BYTES + " bytes", "");
            }
            if (!isBlank(line)) {
                return entry(lines.place(), line);
            }
        }
        return null;
    }

    private ImportEntry entry(Place place, byte[] line) {
        try {
            ImportLine command = ImportLine.parse(line, clock.instant());
            return new ImportEntry.Ready(place, command.time().toEpochMilli(),
                    new UserKey(tenant, command.user()).bytes(),
                    command.value());
        } catch (BadInputException e) {
            String text = new String(line, StandardCharsets.UTF_8);
            return new ImportEntry.Refused(place, e.getMessage(),
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
}
