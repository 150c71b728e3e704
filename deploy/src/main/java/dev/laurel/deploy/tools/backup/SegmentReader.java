package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads the records of one {@link Segment}, and believes nothing of it: what {@link SegmentWriter} has not written is refused. */
final class SegmentReader implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BYTES_MAX = 64 * 1024 * 1024;
    private static final int HEADERS_MAX = 10_000;

    private final Path file;
    private final Segment segment;
    private final DataInputStream in;
    private long records;
    private long expected;

    /** @throws CommandFailed if it cannot be read, or is none */
    SegmentReader(Path folder, Segment segment) {
        this.file = folder.resolve(segment.fileName());
        this.segment = segment;
        this.expected = segment.first();
        try {
            this.in = new DataInputStream(
                    new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file), BUFFER_BYTES),
                            BUFFER_BYTES));
            if (in.readLong() != SegmentWriter.MAGIC) {
                throw damaged("it is no file of a backup", null);
            }
        } catch (IOException e) {
            throw damaged(e.toString(), e);
        }
    }

    /** Null behind the last one. @throws CommandFailed if the file is damaged */
    BackedUp next() {
        try {
            long offset = in.readLong();
            if (offset == SegmentWriter.END) {
                expectEnd();
                return null;
            }
            if (offset < expected || offset >= segment.next()) {
                throw damaged("a record at " + offset + " does not belong there", null);
            }
            expected = offset + 1;
            records++;
            long timestampMs = in.readLong();
            return new BackedUp(offset, timestampMs, readBytes(), readBytes(), readHeaders());
        } catch (IOException e) {
            throw damaged(e instanceof EOFException ? "its end is missing" : e.toString(), e);
        }
    }

    private void expectEnd() throws IOException {
        long written = in.readLong();
        if (written != records) {
            throw damaged("it has " + records + " records of " + written, null);
        }
        if (in.read() != -1) { // reads the checksum, too
            throw damaged("something follows its end", null);
        }
    }

    private List<Header> readHeaders() throws IOException {
        int count = in.readInt();
        if (count < 0 || count > HEADERS_MAX) {
            throw damaged("a record with " + count + " headers", null);
        }
        var headers = new ArrayList<Header>(count);
        for (int i = 0; i < count; i++) {
            byte[] name = readBytes();
            if (name == null) {
                throw damaged("a header without a name", null);
            }
            headers.add(new RecordHeader(new String(name, UTF_8), readBytes()));
        }
        return headers;
    }

    private byte[] readBytes() throws IOException {
        int length = in.readInt();
        if (length == -1) {
            return null;
        }
        if (length < 0 || length > BYTES_MAX) {
            throw damaged("a field of " + length + " bytes", null);
        }
        byte[] content = new byte[length];
        in.readFully(content);
        return content;
    }

    private CommandFailed damaged(String why, IOException cause) {
        return new CommandFailed(file + " is damaged: " + why, cause);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw damaged(e.toString(), e);
        }
    }
}
