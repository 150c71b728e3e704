package dev.laurel.delivery.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.delivery.store.EndpointLanes.Lane;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.InLane;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Position;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNullElse;

/** The codecs of the values in the store of webhooks. */
final class WebhookCodecs {

    /** A body. @param owner key in the outbox of the user or leaderboard that it is about; empty if there is none */
    record Body(byte[] owner, byte[] bytes) {}

    static final Codec<WebhookDelivery> DELIVERY = new Codec<>("delivery", 1, WebhookCodecs::write,
            WebhookCodecs::read);

    static final Codec<Lane> LANE = new Codec<>("lane", 1, (lane, out) -> {
        Fields.writeId(lane.first(), out);
        out.writeUInt64NoTag(lane.next());
        out.writeUInt64NoTag(lane.end());
        out.writeUInt64NoTag(lane.turn());
    }, in -> new Lane(Fields.readId(in), in.readUInt64(), in.readUInt64(), in.readUInt64()));

    static final Codec<UUID> ID = new Codec<>("id of a delivery", 1, Fields::writeId, Fields::readId);

    static final Codec<byte[]> BYTES = new Codec<>("body or key", 1, (bytes, out) -> out.writeByteArrayNoTag(bytes),
            CodedInputStream::readByteArray);

    static final Codec<Body> BODY = new Codec<>("body", 1, (body, out) -> {
        out.writeByteArrayNoTag(body.owner());
        out.writeByteArrayNoTag(body.bytes());
    }, in -> new Body(in.readByteArray(), in.readByteArray()));

    static final Codec<List<UUID>> IDS = new Codec<>("ids of webhooks", 1,
            (ids, out) -> Fields.writeList(ids, out, Fields::writeId), in -> Fields.readList(in, Fields::readId));

    private static final int NO_POSITION = 0;
    private static final int IN_LANE = 1;
    private static final int LATER = 2;

    private WebhookCodecs() {}

    private static void write(WebhookDelivery delivery, CodedOutputStream out) throws IOException {
        Fields.writeId(delivery.id(), out);
        Fields.writeId(delivery.source(), out);
        out.writeStringNoTag(delivery.event().type());
        out.writeSInt64NoTag(delivery.created().toEpochMilli());
        out.writeUInt32NoTag(delivery.status().ordinal());
        out.writeUInt32NoTag(delivery.made());
        out.writeUInt32NoTag(delivery.retriesLeft());
        out.writeBoolNoTag(delivery.isQueued());
        writePosition(delivery.position(), out);
        Fields.writeList(delivery.attempts(), out, WebhookCodecs::writeAttempt);
    }

    private static WebhookDelivery read(CodedInputStream in) throws IOException {
        UUID id = Fields.readId(in);
        UUID source = Fields.readId(in);
        WebhookEvent event = event(in.readString());
        Instant created = Instant.ofEpochMilli(in.readSInt64());
        Status status = Fields.readConstant(Status.values(), in);
        int made = in.readUInt32();
        int retriesLeft = in.readUInt32();
        boolean isQueued = in.readBool();
        Position position = readPosition(in);
        return new WebhookDelivery(id, source, event, created, status, Fields.readList(in, WebhookCodecs::readAttempt),
                made, retriesLeft, isQueued, position);
    }

    private static void writePosition(@Nullable Position position, CodedOutputStream out) throws IOException {
        switch (position) {
            case null -> out.writeUInt32NoTag(NO_POSITION);
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

    private static @Nullable Position readPosition(CodedInputStream in) throws IOException {
        int kind = in.readUInt32();
        return switch (kind) {
            case NO_POSITION -> null;
            case IN_LANE -> new InLane(Bytes.wrap(in.readByteArray()), in.readUInt64());
            case LATER -> new Later(in.readSInt64(), in.readBool());
            default -> throw new IOException("there is no position of kind " + kind);
        };
    }

    private static void writeAttempt(Attempt attempt, CodedOutputStream out) throws IOException {
        Integer status = attempt.responseStatus();
        out.writeSInt64NoTag(attempt.at().toEpochMilli());
        out.writeUInt32NoTag(status == null ? 0 : status);
        out.writeStringNoTag(requireNonNullElse(attempt.error(), ""));
        out.writeUInt64NoTag(attempt.durationMs());
    }

    private static Attempt readAttempt(CodedInputStream in) throws IOException {
        Instant at = Instant.ofEpochMilli(in.readSInt64());
        int status = in.readUInt32();
        String error = in.readString();
        return new Attempt(at, status == 0 ? null : status, error.isEmpty() ? null : error, in.readUInt64());
    }

    private static WebhookEvent event(String type) throws IOException {
        int at = WebhookEvent.types().indexOf(type);
        if (at < 0) {
            throw new IOException("there is no event of type " + type);
        }
        return WebhookEvent.values()[at];
    }
}
