package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.rules.StreakRules.Threshold;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.IntKeyedMap;
import dev.laurel.processors.core.user.MessageState;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Preferences;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.NotificationChannel;
import dev.laurel.schemas.ruleset.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes and reads {@link UserState} in the {@code users} store. The present version is 6; no release has written an earlier
 * one.
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
        super("user", 6, 6);
    }

    @Override
    void write(UserState user, CodedOutputStream out) throws IOException {
        writeProfile(user, out);
        out.writeSInt64NoTag(user.createdMs());
        out.writeSInt64NoTag(user.updatedMs() - user.createdMs());
        out.writeSInt64NoTag(user.newestMs() - user.createdMs());
        out.writeUInt64NoTag(user.sequence());
        out.writeUInt64NoTag(user.rulesVersion());
        MetricFields.writeMetrics(user.metrics(), out);
        writeSums(user.sums(), out);
        PointsFields.writePoints(user.points(), out);
        PointsFields.writeNumbers(user.completions(), out);
        StreakFields.write(user.streak(), out);
        PointsFields.writeBoosts(user.boosts(), out);
        if (!user.boosts().isEmpty()) {
            out.writeSInt32NoTag(user.boostsAnnouncedTo());
        }
        writeBoards(user, out);
        if (user.preferences() != Preferences.NONE) {
            writePreferences(user.preferences(), out);
        }
        MessageFields.write(user, out);
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

    private static void writeSums(IntKeyedMap<BigDecimal> sums, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(sums.size());
        for (int i = 0; i < sums.size(); i++) {
            out.writeUInt32NoTag(sums.numberAt(i));
            Decimals.write(sums.valueAt(i), out);
        }
    }

    private static void writeBoards(UserState user, CodedOutputStream out) throws IOException {
        IntKeyedMap<BoardState> boards = user.boards();
        out.writeUInt32NoTag(boards.size());
        for (int i = 0; i < boards.size(); i++) {
            out.writeUInt32NoTag(boards.numberAt(i));
            writeBoard(boards.valueAt(i), user.newestMs(), out);
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

    @Override
    UserState read(int writtenVersion, CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        var id = new UserId(in.readString());
        Profile profile = readProfile(flags, in);
        long createdMs = in.readSInt64();
        long updatedMs = createdMs + in.readSInt64();
        long newestMs = createdMs + in.readSInt64();
        long sequence = in.readUInt64();
        long rulesVersion = in.readUInt64();
        IntKeyedMap<MetricState> metrics = MetricFields.readMetrics(in);
        IntKeyedMap<BigDecimal> sums = readMap(in, () -> Decimals.read(in));
        IntKeyedMap<PointsState> points = PointsFields.readPoints(in);
        IntKeyedMap<Long> completions = readMap(in, in::readSInt64);
        StreakState streak = StreakFields.read(in);
        List<UserBoost> boosts = PointsFields.readBoosts(in);
        int boostsAnnouncedTo = boosts.isEmpty() ? 0 : in.readSInt32();
        IntKeyedMap<BoardState> boards = readMap(in, () -> readBoard(newestMs, in));
        Preferences preferences = (flags & HAS_PREFERENCES) != 0 ? readPreferences(in) : Preferences.NONE;
        long lastEventMs = MessageFields.readLastEvent(newestMs, in);
        MessageState messages = MessageFields.read(newestMs, in);
        long wakeUpMs = in.readSInt64();
        return new UserState(id, profile, preferences, (flags & CONTROL) != 0, createdMs, updatedMs, newestMs,
                sequence, rulesVersion, metrics, sums, points, completions, streak, boosts, boostsAnnouncedTo, boards,
                lastEventMs, messages, wakeUpMs);
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

    /** @param nearMs a time known to the reader, the nearer to that of the change the shorter the form */
    static void writeBoard(BoardState state, long nearMs, CodedOutputStream out) throws IOException {
        out.writeSInt32NoTag(state.run());
        Decimals.write(state.value(), out);
        out.writeSInt64NoTag(state.changedMs() - nearMs);
        out.writeSInt64NoTag(state.changedOffset());
    }

    static BoardState readBoard(long nearMs, CodedInputStream in) throws IOException {
        return new BoardState(in.readSInt32(), Decimals.read(in), nearMs + in.readSInt64(), in.readSInt64());
    }
}
