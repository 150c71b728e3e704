package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.rules.StreakRules.Threshold;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.MessageState;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Numbered;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Preferences;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@link UserState} in the {@code users} store.
 *
 * <ul>
 * <li>Version 1 had no wake-up time: such a user is put into the timers store with the next change.
 * <li>Version 2 kept the length of a daily streak only: such a streak is counted again from the day buckets.
 * <li>Version 3 was before leaderboards.
 * <li>Version 4 did not count the events of the newest day, and kept nothing of their attributes.
 * <li>Version 5 did not keep what of the user's own boosts was told: it was what lay before the user's newest time. It kept
 * nothing for messages either: the newest command of a user who has counted anything is taken for the newest event.
 * <li>Version 6 is the present one.
 * </ul>
 */
final class UserStateCodec extends Codec<UserState> {

    private static final int HAS_EMAIL = 1;
    private static final int HAS_NAME = 2;
    private static final int HAS_TZ = 4;
    private static final int SUBSCRIBES = 8;
    private static final int SUBSCRIPTION_IS_SET = 16;
    private static final int CONTROL = 32;
    private static final int HAS_PREFERENCES = 128;

    private static final NotificationType[] TYPES = NotificationType.values();
    private static final NotificationChannel[] CHANNELS = NotificationChannel.values();
    private static final EvaluationMode[] MODES = EvaluationMode.values();

    UserStateCodec() {
        super("user", 6);
    }

    @Override
    void write(UserState user, CodedOutputStream out) throws IOException {
        writeProfile(user, out);
        out.writeSInt64NoTag(user.createdMs());
        out.writeSInt64NoTag(user.updatedMs() - user.createdMs());
        out.writeSInt64NoTag(user.newestMs() - user.createdMs());
        out.writeUInt64NoTag(user.sequence());
        out.writeUInt64NoTag(user.rulesVersion());
        Metrics.write(user.metrics(), out);
        writeSums(user.sums(), out);
        writePoints(user.points(), out);
        writeNumbers(user.completions(), out);
        Streaks.write(user.streak(), out);
        UserBoosts.write(user.boosts(), out);
        if (!user.boosts().isEmpty()) {
            out.writeSInt32NoTag(user.boostsToldTo());
        }
        writeBoards(user, out);
        if (user.preferences() != Preferences.NONE) {
            writePreferences(user.preferences(), out);
        }
        Messages.write(user, out);
        out.writeSInt64NoTag(user.wakeUpMs());
    }

    private static void writeProfile(UserState user, CodedOutputStream out) throws IOException {
        Profile profile = user.profile();
        out.writeUInt32NoTag((profile.email() != null ? HAS_EMAIL : 0) | (profile.name() != null ? HAS_NAME : 0)
                | (profile.tz() != null ? HAS_TZ : 0)
                | (Boolean.TRUE.equals(profile.subscribeToEmails()) ? SUBSCRIBES : 0)
                | (profile.subscribeToEmails() != null ? SUBSCRIPTION_IS_SET : 0) | (user.control() ? CONTROL : 0)
                | (user.preferences() != Preferences.NONE ? HAS_PREFERENCES : 0));
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

    private static void writeSums(Numbered<BigDecimal> sums, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(sums.size());
        for (int i = 0; i < sums.size(); i++) {
            out.writeUInt32NoTag(sums.numberAt(i));
            Decimals.write(sums.valueAt(i), out);
        }
    }

    private static void writeBoards(UserState user, CodedOutputStream out) throws IOException {
        Numbered<BoardState> boards = user.boards();
        out.writeUInt32NoTag(boards.size());
        for (int i = 0; i < boards.size(); i++) {
            out.writeUInt32NoTag(boards.numberAt(i));
            BoardStates.write(boards.valueAt(i), user.newestMs(), out);
        }
    }

    private static void writePreferences(Preferences preferences, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(preferences.notifications().size());
        for (var entry : preferences.notifications().entrySet()) {
            out.writeUInt32NoTag(entry.getKey().ordinal());
            out.writeUInt32NoTag(entry.getValue().size());
            for (NotificationChannel channel : entry.getValue()) {
                out.writeUInt32NoTag(channel.ordinal());
            }
        }
        Boolean streak = preferences.streakEnabled();
        out.writeUInt32NoTag(streak == null ? 0 : streak ? 2 : 1);
        out.writeUInt32NoTag(preferences.streakMode() == null ? 0 : preferences.streakMode().ordinal() + 1);
        List<Threshold> metrics = preferences.streakMetrics();
        out.writeUInt32NoTag(metrics == null ? 0 : metrics.size() + 1);
        if (metrics != null) {
            for (Threshold threshold : metrics) {
                out.writeUInt32NoTag(threshold.metric());
                Decimals.write(threshold.atLeast(), out);
            }
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
            writeNumbers(system.counts(), out);
            out.writeSInt32NoTag(system.day());
            out.writeSInt64NoTag(system.dayChange());
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
        boolean isOld = writtenVersion < 3;
        long rulesVersion = isOld ? 0 : in.readUInt64();
        Numbered<MetricState> metrics = writtenVersion < 5
                ? readNumbered(in, () -> new MetricState(Decimals.read(in), in.readSInt32(),
                        DayBuckets.readUncounted(in), MetricState.NEVER))
                : Metrics.read(in);
        Numbered<BigDecimal> sums = isOld ? Numbered.empty() : readNumbered(in, () -> Decimals.read(in));
        Numbered<PointsState> points = readNumbered(in, () -> readPoints(in, isOld));
        Numbered<Long> completions = readNumbered(in, in::readSInt64);
        StreakState streak = isOld ? readOldStreak(in) : Streaks.read(in);
        List<UserBoost> boosts = isOld ? List.of() : UserBoosts.read(in);
        int boostsToldTo = boosts.isEmpty()
                ? 0
                : writtenVersion < 6 ? LocalDays.dayOf(newestMs, ZoneOffset.UTC) : in.readSInt32();
        Numbered<BoardState> boards = writtenVersion < 4
                ? Numbered.empty()
                : readNumbered(in, () -> BoardStates.read(newestMs, in));
        Preferences preferences = (flags & HAS_PREFERENCES) != 0 && !isOld ? readPreferences(in) : Preferences.NONE;
        long lastEventMs = writtenVersion < 6
                ? metrics.size() == 0 ? UserState.NO_EVENT : newestMs
                : Messages.readLastEvent(newestMs, in);
        MessageState messages = writtenVersion < 6 ? MessageState.NONE : Messages.read(newestMs, in);
        long wakeUpMs = writtenVersion < 2 ? 0 : in.readSInt64();
        return new UserState(id, profile, preferences, (flags & CONTROL) != 0, createdMs, updatedMs, newestMs,
                sequence, rulesVersion, metrics, sums, points, completions, streak, boosts, boostsToldTo, boards,
                lastEventMs, messages, wakeUpMs);
    }

    private static PointsState readPoints(CodedInputStream in, boolean isOld) throws IOException {
        long total = in.readUInt64();
        int awards = in.readUInt32();
        List<Award> newest = Awards.read(in, !isOld);
        Numbered<Long> counts = readNumbered(in, in::readSInt64);
        return isOld
                ? new PointsState(total, awards, newest, counts, PointsState.NONE.day(), 0)
                : new PointsState(total, awards, newest, counts, in.readSInt32(), in.readSInt64());
    }

    /** The day buckets say all that was known of it, and more. */
    private static StreakState readOldStreak(CodedInputStream in) throws IOException {
        in.readSInt32();
        in.readUInt32();
        in.readSInt64();
        return StreakState.NONE;
    }

    private static Preferences readPreferences(CodedInputStream in) throws IOException {
        var notifications = new EnumMap<NotificationType, Set<NotificationChannel>>(NotificationType.class);
        for (int left = readCount(in); left > 0; left--) {
            NotificationType type = constant(TYPES, in.readUInt32());
            var channels = EnumSet.noneOf(NotificationChannel.class);
            for (int more = readCount(in); more > 0; more--) {
                channels.add(constant(CHANNELS, in.readUInt32()));
            }
            notifications.put(type, channels);
        }
        int streak = in.readUInt32();
        int mode = in.readUInt32();
        int metrics = in.readUInt32();
        List<Threshold> thresholds = metrics == 0 ? null : new ArrayList<>();
        for (int i = 1; i < metrics; i++) {
            thresholds.add(new Threshold(in.readUInt32(), Decimals.read(in)));
        }
        return new Preferences(notifications, streak == 0 ? null : streak == 2,
                mode == 0 ? null : constant(MODES, mode - 1), thresholds);
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
