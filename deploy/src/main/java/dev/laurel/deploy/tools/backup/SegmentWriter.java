package dev.laurel.deploy.tools.backup;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.common.header.Header;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Writes one {@link Segment}. It has its name only when it is whole and on the disk; until then it is a file that the next
 * run writes over.
 *
 * <p>The format, in big-endian binary under gzip, whose checksum covers it: {@link #MAGIC}; of each record its offset and time
 * (8 bytes each), key and value (length in 4 bytes, -1 for none, then the bytes), the number of headers (4 bytes) and of each its
 * name in UTF-8 and its value (as above); at the end {@link #END} and the number of records (8 bytes each).
 */
final class SegmentWriter implements AutoCloseable {

    static final long MAGIC = 0x4c41_5552_454c_3031L; // LAUREL01
    static final long END = -1;
    static final String UNFINISHED = "unfinished";

    private static final int BUFFER_BYTES = 64 * 1024;

    private final Path folder;
    private final long first;
    private final Path unfinished;
    private final DataOutputStream out;
    private long records;
    private long bytes;

    SegmentWriter(Path folder, long first) throws IOException {
        this.folder = folder;
        this.first = first;
        this.unfinished = Files.createDirectories(folder).resolve(UNFINISHED);
        this.out = new DataOutputStream(new BufferedOutputStream(
                new GZIPOutputStream(new FileOutputStream(unfinished.toFile()), BUFFER_BYTES), BUFFER_BYTES));
        out.writeLong(MAGIC);
    }

    void write(BackedUp record) throws IOException {
        out.writeLong(record.offset());
        out.writeLong(record.timestampMs());
        writeBytes(record.key());
        writeBytes(record.value());
        out.writeInt(record.headers().size());
        for (Header header : record.headers()) {
            writeBytes(header.key().getBytes(UTF_8));
            writeBytes(header.value());
        }
        records++;
        bytes += record.bytes();
    }

    private void writeBytes(byte[] content) throws IOException {
        if (content == null) {
            out.writeInt(-1);
        } else {
            out.writeInt(content.length);
            out.write(content);
        }
    }

    /** What was written, before it was compressed. */
    long bytes() {
        return bytes;
    }

    /** Makes it durable and gives it its name. @param next offset behind it */
    Segment finish(long next) throws IOException {
        out.writeLong(END);
        out.writeLong(records);
        out.flush();
        var segment = new Segment(first, next);
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            out.close();
            channel.force(true);
        }
        Files.move(unfinished, folder.resolve(segment.fileName()), StandardCopyOption.ATOMIC_MOVE);
        return segment;
    }

    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(unfinished);
    }
}
