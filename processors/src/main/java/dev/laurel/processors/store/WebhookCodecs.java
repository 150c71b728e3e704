package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.delivery.webhook.HookDelivery;
import dev.laurel.processors.delivery.webhook.HookDelivery.Attempt;
import dev.laurel.processors.delivery.webhook.HookDelivery.InLane;
import dev.laurel.processors.delivery.webhook.HookDelivery.Later;
import dev.laurel.processors.delivery.webhook.HookDelivery.Place;
import dev.laurel.processors.delivery.webhook.HookDelivery.Status;
import dev.laurel.processors.store.WebhookStore.Lane;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** The values in the store of webhooks. */
final class WebhookCodecs {

    static final Codec<HookDelivery> DELIVERY = new Codec<>("delivery", 1) {
        @Override
        void write(HookDelivery delivery, CodedOutputStream out) throws IOException {
            writeId(delivery.id(), out);
            writeId(delivery.source(), out);
            out.writeStringNoTag(delivery.event().type());
            out.writeSInt64NoTag(delivery.created().toEpochMilli());
            out.writeUInt32NoTag(delivery.status().ordinal());
            out.writeUInt32NoTag(delivery.made());
            out.writeUInt32NoTag(delivery.retriesLeft());
            out.writeBoolNoTag(delivery.isQueued());
            writePlace(delivery.place(), out);
            out.writeUInt32NoTag(delivery.attempts().size());
            for (Attempt attempt : delivery.attempts()) {
                out.writeSInt64NoTag(attempt.at().toEpochMilli());
                out.writeUInt32NoTag(attempt.responseStatus() == null ? 0 : attempt.responseStatus());
                out.writeStringNoTag(attempt.error() == null ? "" : attempt.error());
                out.writeUInt64NoTag(attempt.durationMs());
            }
        }

        @Override
        HookDelivery read(int writtenVersion, CodedInputStream in) throws IOException {
            UUID id = readId(in);
            UUID source = readId(in);
            WebhookEvent event = event(in.readString());
            Instant created = Instant.ofEpochMilli(in.readSInt64());
            Status status = constant(Status.values(), in.readUInt32());
            int made = in.readUInt32();
            int retriesLeft = in.readUInt32();
            boolean isQueued = in.readBool();
            Place place = readPlace(in);
            return new HookDelivery(id, source, event, created, status, readAttempts(in), made, retriesLeft, isQueued,
                    place);
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

    static final Codec<UUID> ID = new Codec<>("id of a delivery", 1) {
        @Override
        void write(UUID id, CodedOutputStream out) throws IOException {
            writeId(id, out);
        }

        @Override
        UUID read(int writtenVersion, CodedInputStream in) throws IOException {
            return readId(in);
        }
    };

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

    /** What is sent. @param owner key of what it is about, as in the outbox; empty if it is about nothing */
    record Body(byte[] owner, byte[] bytes) {}

    private WebhookCodecs() {}

    private static void writePlace(Place place, CodedOutputStream out) throws IOException {
        switch (place) {
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

    private static Place readPlace(CodedInputStream in) throws IOException {
        int kind = in.readUInt32();
        return switch (kind) {
            case NOWHERE -> null;
            case IN_LANE -> new InLane(Bytes.wrap(in.readByteArray()), in.readUInt64());
            case LATER -> new Later(in.readSInt64(), in.readBool());
            default -> throw new IOException("there is no place " + kind);
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

    private static void writeId(UUID id, CodedOutputStream out) throws IOException {
        out.writeFixed64NoTag(id.getMostSignificantBits());
        out.writeFixed64NoTag(id.getLeastSignificantBits());
    }

    private static UUID readId(CodedInputStream in) throws IOException {
        return new UUID(in.readFixed64(), in.readFixed64());
    }
}
