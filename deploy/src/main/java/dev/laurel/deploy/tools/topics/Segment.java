package dev.laurel.deploy.tools.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.CommandFailed;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * A file of a backup with all readable records of one partition between two offsets. Its name contains the offsets,
 * so that an interrupted backup can continue after it.
 *
 * @param first first offset
 * @param next first offset of the next segment; offsets in between may have no readable record
 */
record Segment(long first, long next) {

    private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{20})\\.records\\.gz");

    Segment {
        if (first < 0 || next < first) {
            throw new IllegalArgumentException("not a range of offsets: " + first + " to " + next);
        }
    }

    String fileName() {
        return "%020d-%020d.records.gz".formatted(first, next);
    }

    /** Returns null if it is not the name of a segment. */
    static @Nullable Segment parse(String fileName) {
        Matcher name = NAME.matcher(fileName);
        return name.matches() ? new Segment(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))) : null;
    }

    /** Reads the records of a {@link Segment} and rejects everything that {@link Writer} does not write. */
    static final class Reader implements AutoCloseable {

        private static final int BUFFER_BYTES = 64 * 1024;
        private static final int BYTES_MAX = 64 * 1024 * 1024;
        private static final int HEADERS_MAX = 10_000;

        private final Path file;
        private final Segment segment;
        private final DataInputStream in;
        private long records;
        private long expected;

        /** @throws CommandFailed if the file cannot be read or is not a segment */
        Reader(Path folder, Segment segment) {
            this.file = folder.resolve(segment.fileName());
            this.segment = segment;
            this.expected = segment.first();
            try {
                this.in = new DataInputStream(new BufferedInputStream(
                        new GZIPInputStream(Files.newInputStream(file), BUFFER_BYTES), BUFFER_BYTES));
                if (in.readLong() != Writer.MAGIC) {
                    throw damaged("it is not a file of a backup");
                }
            } catch (IOException e) {
                throw damaged(e.toString(), e);
            }
        }

        /**
         * Returns null after the last record.
         *
         * @throws CommandFailed if the file is damaged
         */
        @Nullable
        BackupRecord next() {
            try {
                long offset = in.readLong();
                if (offset == Writer.END) {
                    expectEnd();
                    return null;
                }
                if (offset < expected || offset >= segment.next()) {
                    throw damaged("a record at " + offset + " does not belong there");
                }
                expected = offset + 1;
                records++;
                long timestampMs = in.readLong();
                return new BackupRecord(offset, timestampMs, readBytes(), readBytes(), readHeaders());
            } catch (IOException e) {
                throw damaged(e instanceof EOFException ? "its end is missing" : e.toString(), e);
            }
        }

        private void expectEnd() throws IOException {
            long written = in.readLong();
            if (written != records) {
                throw damaged("it has " + records + " records of " + written);
            }
            if (in.read() != -1) { // also verifies the checksum
                throw damaged("something follows its end");
            }
        }

        private List<Header> readHeaders() throws IOException {
            int count = in.readInt();
            if (count < 0 || count > HEADERS_MAX) {
                throw damaged("a record with " + count + " headers");
            }
            var headers = new ArrayList<Header>(count);
            for (int i = 0; i < count; i++) {
                byte[] name = readBytes();
                if (name == null) {
                    throw damaged("a header without a name");
                }
                headers.add(new RecordHeader(new String(name, UTF_8), readBytes()));
            }
            return headers;
        }

        private byte @Nullable [] readBytes() throws IOException {
            int length = in.readInt();
            if (length == -1) {
                return null;
            }
            if (length < 0 || length > BYTES_MAX) {
                throw damaged("a field of " + length + " bytes");
            }
            byte[] content = new byte[length];
            in.readFully(content);
            return content;
        }

        private CommandFailed damaged(String problem) {
            return damaged(problem, null);
        }

        private CommandFailed damaged(String problem, @Nullable IOException cause) {
            return new CommandFailed(file + " is damaged: " + problem, cause);
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

    /**
     * Writes a {@link Segment}. The file gets its name when it is complete and durable; until then the next run
     * overwrites it.
     *
     * <p>The format is big-endian binary in gzip, whose checksum covers it: {@link #MAGIC}; for each record, offset
     * and timestamp (8 bytes each), key and value (length in 4 bytes, -1 for null, then the bytes), number of headers
     * (4 bytes), and for each header the name in UTF-8 and the value (as above); at the end {@link #END} and the
     * number of records (8 bytes each).
     */
    static final class Writer implements AutoCloseable {

        static final long MAGIC = 0x4c41_5552_454c_3031L; // LAUREL01
        static final long END = -1;
        static final String UNFINISHED = "unfinished";

        private static final int BUFFER_BYTES = 64 * 1024;

        private final Path folder;
        private final long first;
        private final Path unfinished;
        private final DataOutputStream out;
        private long records;

        Writer(Path folder, long first) throws IOException {
            this.folder = folder;
            this.first = first;
            this.unfinished = Files.createDirectories(folder).resolve(UNFINISHED);
            this.out = new DataOutputStream(new BufferedOutputStream(
                    new GZIPOutputStream(new FileOutputStream(unfinished.toFile()), BUFFER_BYTES), BUFFER_BYTES));
            out.writeLong(MAGIC);
        }

        void write(BackupRecord record) throws IOException {
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
        }

        private void writeBytes(byte @Nullable [] content) throws IOException {
            if (content == null) {
                out.writeInt(-1);
            } else {
                out.writeInt(content.length);
                out.write(content);
            }
        }

        /** Returns the number of bytes written before compression. */
        long bytes() {
            return out.size();
        }

        /**
         * Makes the file durable and gives it its name.
         *
         * @param next first offset of the next segment
         */
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
}
