package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.store.WebhookDelivery.Attempt;
import dev.laurel.processors.store.WebhookDelivery.InLane;
import dev.laurel.processors.store.WebhookDelivery.Later;
import dev.laurel.processors.store.WebhookDelivery.Position;
import dev.laurel.processors.store.WebhookDelivery.Status;
import dev.laurel.processors.store.EndpointLanes.Lane;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** The values in the store of webhooks. */
final class WebhookCodecs {

    static final Codec<WebhookDelivery> DELIVERY = new Codec<>("delivery", 1) {
        @Override
        void write(WebhookDelivery delivery, CodedOutputStream out) throws IOException {
            writeId(delivery.id(), out);
            writeId(delivery.source(), out);
            out.writeStringNoTag(delivery.event().type());
            out.writeSInt64NoTag(delivery.created().toEpochMilli());
            out.writeUInt32NoTag(delivery.status().ordinal());
            out.writeUInt32NoTag(delivery.made());
            out.writeUInt32NoTag(delivery.retriesLeft());
            out.writeBoolNoTag(delivery.isQueued());
            writePosition(delivery.position(), out);
            out.writeUInt32NoTag(delivery.attempts().size());
            for (Attempt attempt : delivery.attempts()) {
                out.writeSInt64NoTag(attempt.at().toEpochMilli());
                out.writeUInt32NoTag(attempt.responseStatus() == null ? 0 : attempt.responseStatus());
                out.writeStringNoTag(attempt.error() == null ? "" : attempt.error());
                out.writeUInt64NoTag(attempt.durationMs());
            }
        }

        @Override
        WebhookDelivery read(int writtenVersion, CodedInputStream in) throws IOException {
            UUID id = readId(in);
            UUID source = readId(in);
            WebhookEvent event = event(in.readString());
            Instant created = Instant.ofEpochMilli(in.readSInt64());
            Status status = constant(Status.values(), in.readUInt32());
            int made = in.readUInt32();
            int retriesLeft = in.readUInt32();
            boolean isQueued = in.readBool();
            Position position = readPosition(in);
            return new WebhookDelivery(id, source, event, created, status, readAttempts(in), made, retriesLeft,
                    isQueued,
                    position);
        }
    };

    static final Codec<Lane> LANE = new Codec<>("lane", 1) {
        @Override
        void write(Lane lane, CodedOutputStream out) throws IOException {
            writeId(lane.first(), out);
            out.writeUInt64NoTag(lane.next());
            out.writeUInt64NoTag(lane.end());
            out.writeUInt64NoTag(lane.turn());
        }

        @Override
        Lane read(int writtenVersion, CodedInputStream in) throws IOException {
            return new Lane(readId(in), in.readUInt64(), in.readUInt64(), in.readUInt64());
        }
    };

    static final Codec<UUID> ID = Codec.ofId("id of a delivery");

    static final Codec<byte[]> BYTES = new Codec<>("body or key", 1) {
        @Override
        void write(byte[] bytes, CodedOutputStream out) throws IOException {
            out.writeByteArrayNoTag(bytes);
        }

        @Override
        byte[] read(int writtenVersion, CodedInputStream in) throws IOException {
            return in.readByteArray();
        }
    };

    static final Codec<Boolean> FLAG = new Codec<>("flag", 1) {
        @Override
        void write(Boolean flag, CodedOutputStream out) throws IOException {
            out.writeBoolNoTag(flag);
        }

        @Override
        Boolean read(int writtenVersion, CodedInputStream in) throws IOException {
            return in.readBool();
        }
    };

    static final Codec<Body> BODY = new Codec<>("body", 1) {
        @Override
        void write(Body body, CodedOutputStream out) throws IOException {
            out.writeByteArrayNoTag(body.owner());
            out.writeByteArrayNoTag(body.bytes());
        }

        @Override
        Body read(int writtenVersion, CodedInputStream in) throws IOException {
            return new Body(in.readByteArray(), in.readByteArray());
        }
    };

    static final Codec<List<UUID>> IDS = new Codec<>("ids of webhooks", 1) {
        @Override
        void write(List<UUID> ids, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(ids.size());
            for (UUID id : ids) {
                writeId(id, out);
            }
        }

        @Override
        List<UUID> read(int writtenVersion, CodedInputStream in) throws IOException {
            int count = Codec.readCount(in);
            var ids = new ArrayList<UUID>(count);
            for (int i = 0; i < count; i++) {
                ids.add(readId(in));
            }
            return ids;
        }
    };

    private static final int NOWHERE = 0;
    private static final int IN_LANE = 1;
    private static final int LATER = 2;

    /** A body. @param owner key in the outbox of the user or leaderboard that it is about; empty if there is none */
    record Body(byte[] owner, byte[] bytes) {}

    private WebhookCodecs() {}

    private static void writePosition(Position position, CodedOutputStream out) throws IOException {
        switch (position) {
            case null -> out.writeUInt32NoTag(NOWHERE);
            case InLane(Bytes lane, long number) -> {
                out.writeUInt32NoTag(IN_LANE);
                out.writeByteArrayNoTag(lane.get());
                out.writeUInt64NoTag(number);
            }
            case Later(long dueMs, boolean isAsked) -> {
                out.writeUInt32NoTag(LATER);
                out.writeSInt64NoTag(dueMs);
                out.writeBoolNoTag(isAsked);
            }
        }
    }

    private static Position readPosition(CodedInputStream in) throws IOException {
        int kind = in.readUInt32();
        return switch (kind) {
            case NOWHERE -> null;
            case IN_LANE -> new InLane(Bytes.wrap(in.readByteArray()), in.readUInt64());
            case LATER -> new Later(in.readSInt64(), in.readBool());
            default -> throw new IOException("there is no position " + kind);
        };
    }

    private static List<Attempt> readAttempts(CodedInputStream in) throws IOException {
        int count = Codec.readCount(in);
        var attempts = new ArrayList<Attempt>(count);
        for (int i = 0; i < count; i++) {
            Instant at = Instant.ofEpochMilli(in.readSInt64());
            int status = in.readUInt32();
            String error = in.readString();
            attempts.add(new Attempt(at, status == 0 ? null : status, error.isEmpty() ? null : error,
                    in.readUInt64()));
        }
        return attempts;
    }

    private static WebhookEvent event(String type) throws IOException {
        int at = WebhookEvent.types().indexOf(type);
        if (at < 0) {
            throw new IOException("there is no event " + type);
        }
        return WebhookEvent.values()[at];
    }
}
