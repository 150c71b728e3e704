package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Numbered;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * {@link UserState} in the {@code users} store.
 *
 * <ul>
 * <li>Version 1 had no wake-up time: such a user is put into the timers store with the next change.
 * <li>Version 2 is the present one.
 * </ul>
 */
final class UserStateCodec extends Codec<UserState> {

    private static final int HAS_EMAIL = 1;
    private static final int HAS_NAME = 2;
    private static final int HAS_TZ = 4;
    private static final int SUBSCRIBES = 8;
    private static final int SUBSCRIPTION_IS_SET = 16;
    private static final int CONTROL = 32;
    private static final int STREAK_IS_LOST = 64;

    UserStateCodec() {
        super("user", 2);
    }

    @Override
    void write(UserState user, CodedOutputStream out) throws IOException {
        writeProfile(user, out);
        out.writeSInt64NoTag(user.createdMs());
        out.writeSInt64NoTag(user.updatedMs() - user.createdMs());
        out.writeSInt64NoTag(user.newestMs() - user.createdMs());
        out.writeUInt64NoTag(user.sequence());
        writeMetrics(user.metrics(), out);
        writePoints(user.points(), out);
        writeNumbers(user.completions(), out);
        out.writeSInt32NoTag(user.streak().lastDay());
        out.writeUInt32NoTag(user.streak().length());
        out.writeSInt64NoTag(user.streak().extendedAtMs());
        out.writeSInt64NoTag(user.wakeUpMs());
    }

    private static void writeProfile(UserState user, CodedOutputStream out) throws IOException {
        Profile profile = user.profile();
        out.writeUInt32NoTag((profile.email() != null ? HAS_EMAIL : 0) | (profile.name() != null ? HAS_NAME : 0)
                | (profile.tz() != null ? HAS_TZ : 0)
                | (Boolean.TRUE.equals(profile.subscribeToEmails()) ? SUBSCRIBES : 0)
                | (profile.subscribeToEmails() != null ? SUBSCRIPTION_IS_SET : 0) | (user.control() ? CONTROL : 0)
                | (user.streak().isLost() ? STREAK_IS_LOST : 0));
        out.writeStringNoTag(user.id().value());
        if (profile.email() != null) {
            out.writeStringNoTag(profile.email());
        }
        if (profile.name() != null) {
            out.writeStringNoTag(profile.name());
        }
        if (profile.tz() != null) {
            out.writeStringNoTag(profile.tz().getId());
        }
        out.writeUInt32NoTag(profile.deviceTokens().size());
        for (String token : profile.deviceTokens()) {
            out.writeStringNoTag(token);
        }
        out.writeUInt32NoTag(profile.attributes().size());
        for (var attribute : profile.attributes().entrySet()) {
            out.writeStringNoTag(attribute.getKey());
            out.writeStringNoTag(attribute.getValue());
        }
    }

    private static void writeMetrics(Numbered<MetricState> metrics, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(metrics.size());
        for (int i = 0; i < metrics.size(); i++) {
            MetricState metric = metrics.valueAt(i);
            out.writeUInt32NoTag(metrics.numberAt(i));
            Decimals.write(metric.total(), out);
            out.writeSInt32NoTag(metric.day());
            Decimals.write(metric.bucket().change(), out);
            out.writeBoolNoTag(metric.bucket().positive());
        }
    }

    private static void writePoints(Numbered<PointsState> points, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(points.size());
        for (int i = 0; i < points.size(); i++) {
            PointsState system = points.valueAt(i);
            out.writeUInt32NoTag(points.numberAt(i));
            out.writeUInt64NoTag(system.total());
            out.writeUInt32NoTag(system.awards());
            Awards.write(system.newest(), out);
            writeNumbers(system.crossed(), out);
        }
    }

    private static void writeNumbers(Numbered<Long> values, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(values.size());
        for (int i = 0; i < values.size(); i++) {
            out.writeUInt32NoTag(values.numberAt(i));
            out.writeSInt64NoTag(values.valueAt(i));
        }
    }

    @Override
    UserState read(int writtenVersion, CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        var id = new UserId(in.readString());
        Profile profile = readProfile(flags, in);
        long createdMs = in.readSInt64();
        long updatedMs = createdMs + in.readSInt64();
        long newestMs = createdMs + in.readSInt64();
        long sequence = in.readUInt64();
        Numbered<MetricState> metrics = readNumbered(in, () -> new MetricState(Decimals.read(in), in.readSInt32(),
                new DayBucket(Decimals.read(in), in.readBool())));
        Numbered<PointsState> points = readNumbered(in,
                () -> new PointsState(in.readUInt64(), in.readUInt32(), Awards.read(in),
                        readNumbered(in, in::readSInt64)));
        Numbered<Long> completions = readNumbered(in, in::readSInt64);
        var streak = new StreakState(in.readSInt32(), in.readUInt32(), in.readSInt64(), (flags & STREAK_IS_LOST) != 0);
        long wakeUpMs = writtenVersion < 2 ? 0 : in.readSInt64();
        return new UserState(id, profile, (flags & CONTROL) != 0, createdMs, updatedMs, newestMs, sequence, metrics,
                points, completions, streak, wakeUpMs);
    }

    private static Profile readProfile(int flags, CodedInputStream in) throws IOException {
        String email = (flags & HAS_EMAIL) != 0 ? in.readString() : null;
        String name = (flags & HAS_NAME) != 0 ? in.readString() : null;
        ZoneId tz = (flags & HAS_TZ) != 0 ? ZoneId.of(in.readString()) : null;
        Boolean subscribes = (flags & SUBSCRIPTION_IS_SET) != 0 ? (flags & SUBSCRIBES) != 0 : null;
        int tokenCount = readCount(in);
        List<String> tokens = tokenCount == 0 ? List.of() : new ArrayList<>(tokenCount);
        for (int i = 0; i < tokenCount; i++) {
            tokens.add(in.readString());
        }
        var attributes = new TreeMap<String, String>();
        for (int left = readCount(in); left > 0; left--) {
            attributes.put(in.readString(), in.readString());
        }
        return new Profile(email, name, tz, tokens, subscribes, attributes);
    }

    private static <T> Numbered<T> readNumbered(CodedInputStream in, Read<T> read) throws IOException {
        int size = readCount(in);
        if (size == 0) {
            return Numbered.empty();
        }
        var numbers = new int[size];
        var values = new Object[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = in.readUInt32();
            values[i] = read.next();
        }
        return Numbered.ofSorted(numbers, values);
    }

    private interface Read<T> {
        T next() throws IOException;
    }
}
