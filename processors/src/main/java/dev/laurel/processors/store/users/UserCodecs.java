package dev.laurel.processors.store.users;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.BinaryFields;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Form;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The codecs of the values in the stores of the ledger: users, their history, and counts. Users and what is a part of them are written by
 * hand, since the form that follows from their records has a third more bytes and takes half as long again (docs/performance.md).
 */
public final class UserCodecs {

    public static final Codec<UserState> USER = new Codec<>("user", 9, UserCodecs::write, UserCodecs::read);
    public static final Codec<DayBucket> DAY =
            new Codec<>("day", 2, MetricFields::writeBucket, MetricFields::readBucket);
    public static final Codec<LeaderboardState> BOARD_RUN = Codec.of("leaderboard run", 3, LeaderboardState.class);
    public static final Codec<Long> ACTIVE_DAYS =
            new Codec<>("active days", 1, (bits, out) -> out.writeFixed64NoTag(bits), CodedInputStream::readFixed64);
    public static final Codec<StreakBlock> STREAK_BLOCK =
            new Codec<>("streak block", 1, StreakFields::writeBlock, StreakFields::readBlock);
    public static final Codec<List<Award>> LEDGER_PAGE =
            new Codec<>("ledger page", 3, PointsFields::writeAwards, PointsFields::readAwards);
    static final Codec<UUID> EVENT_ID = Codec.of("event id", 1, UUID.class);
    public static final Codec<Long> COUNT = Codec.of("count", 2, Long.class);

    private static final int HAS_EMAIL = 1;
    private static final int HAS_NAME = 2;
    private static final int HAS_TZ = 4;
    private static final int SUBSCRIBES = 8;
    private static final int SUBSCRIPTION_IS_SET = 16;
    private static final int CONTROL = 32;
    private static final int HAS_SIGN_UP_DATE = 64;
    private static final int HAS_PREFERENCES = 128;

    /** Whether a leaderboard has groups with values, or does not rank the user. */
    private static final int HAS_GROUPS = 256;

    private static final Form<Preferences> PREFERENCES = Form.of(Preferences.class);

    private UserCodecs() {}

    private static void write(UserState user, CodedOutputStream out) throws IOException {
        boolean hasGroups = hasGroups(user.boards());
        writeProfile(user, hasGroups, out);
        out.writeSInt64NoTag(user.createdMs());
        out.writeSInt64NoTag(user.updatedMs() - user.createdMs());
        out.writeSInt64NoTag(user.newestMs() - user.createdMs());
        out.writeUInt64NoTag(user.sequence());
        out.writeUInt64NoTag(user.rulesVersion());
        MetricFields.writeMetrics(user.metrics(), out);
        BinaryFields.writeMap(user.sums(), out, BinaryFields::writeDecimal);
        BinaryFields.writeMap(user.points(), out, PointsFields::writePoints);
        BinaryFields.writeMap(user.completions(), out, PointsFields::writeNumber);
        StreakFields.write(user.streak(), out);
        writeActiveDays(user.active(), out);
        PointsFields.BOOSTS.writer().write(user.boosts(), out);
        if (!user.boosts().isEmpty()) {
            out.writeSInt32NoTag(user.boostsAnnouncedTo());
        }
        BinaryFields.writeMap(user.boards(), out, (board, to) -> {
            writeBoard(board, user.newestMs(), to);
            if (hasGroups) {
                BinaryFields.writeOptional(
                        board.group(),
                        to,
                        (values, group) -> BinaryFields.writeList(values, group, BinaryFields::writeText));
            }
        });
        if (user.preferences() != Preferences.NONE) {
            PREFERENCES.writer().write(user.preferences(), out);
        }
        // Never after the newest command.
        out.writeUInt64NoTag(user.lastEventMs() == UserState.NO_EVENT ? 0 : user.newestMs() - user.lastEventMs() + 1);
        MessageFields.write(user.messages(), user.newestMs(), out);
        out.writeSInt64NoTag(user.wakeUpMs());
    }

    private static boolean hasGroups(IntKeyedMap<LeaderboardState> boards) {
        for (int i = 0; i < boards.size(); i++) {
            if (!List.of().equals(boards.valueAt(i).group())) {
                return true;
            }
        }
        return false;
    }

    private static void writeProfile(UserState user, boolean hasGroups, CodedOutputStream out) throws IOException {
        Profile profile = user.profile();
        String email = profile.email();
        String name = profile.name();
        ZoneId tz = profile.tz();
        LocalDate signUpDate = profile.signUpDate();
        out.writeUInt32NoTag((email != null ? HAS_EMAIL : 0)
                | (name != null ? HAS_NAME : 0)
                | (tz != null ? HAS_TZ : 0)
                | (Boolean.TRUE.equals(profile.subscribeToEmails()) ? SUBSCRIBES : 0)
                | (profile.subscribeToEmails() != null ? SUBSCRIPTION_IS_SET : 0)
                | (user.control() ? CONTROL : 0)
                | (signUpDate != null ? HAS_SIGN_UP_DATE : 0)
                | (user.preferences() != Preferences.NONE ? HAS_PREFERENCES : 0)
                | (hasGroups ? HAS_GROUPS : 0));
        out.writeStringNoTag(user.id().value());
        if (email != null) {
            out.writeStringNoTag(email);
        }
        if (name != null) {
            out.writeStringNoTag(name);
        }
        if (tz != null) {
            out.writeStringNoTag(tz.getId());
        }
        if (signUpDate != null) {
            out.writeSInt32NoTag(Math.toIntExact(signUpDate.toEpochDay()));
        }
        BinaryFields.writeList(profile.deviceTokens(), out, BinaryFields::writeText);
        out.writeUInt32NoTag(profile.attributes().size());
        for (var attribute : profile.attributes().entrySet()) {
            out.writeStringNoTag(attribute.getKey());
            out.writeStringNoTag(attribute.getValue());
        }
    }

    private static void writeActiveDays(ActiveDays days, CodedOutputStream out) throws IOException {
        BinaryFields.writeMap(days.cohort(), out, BinaryFields::writeText);
        out.writeFixed64NoTag(days.bits());
        if (days.bits() != 0) {
            out.writeSInt32NoTag(days.block());
        }
    }

    private static ActiveDays readActiveDays(CodedInputStream in) throws IOException {
        IntKeyedMap<String> cohort = BinaryFields.readMap(in, CodedInputStream::readString);
        long bits = in.readFixed64();
        return new ActiveDays(cohort, bits == 0 ? 0 : in.readSInt32(), bits);
    }

    private static UserState read(CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        var id = new UserId(in.readString());
        Profile profile = readProfile(flags, in);
        long createdMs = in.readSInt64();
        long updatedMs = createdMs + in.readSInt64();
        long newestMs = createdMs + in.readSInt64();
        long sequence = in.readUInt64();
        long rulesVersion = in.readUInt64();
        IntKeyedMap<MetricState> metrics = MetricFields.readMetrics(in);
        IntKeyedMap<BigDecimal> sums = BinaryFields.readMap(in, BinaryFields::readDecimal);
        IntKeyedMap<PointsState> points = BinaryFields.readMap(in, PointsFields::readPoints);
        IntKeyedMap<Long> completions = BinaryFields.readMap(in, CodedInputStream::readSInt64);
        StreakState streak = StreakFields.read(in);
        ActiveDays active = readActiveDays(in);
        List<UserBoost> boosts = PointsFields.BOOSTS.reader().read(in);
        int boostsAnnouncedTo = boosts.isEmpty() ? 0 : in.readSInt32();
        boolean hasGroups = (flags & HAS_GROUPS) != 0;
        IntKeyedMap<LeaderboardState> boards = BinaryFields.readMap(in, from -> {
            LeaderboardState state = readBoard(newestMs, from);
            return !hasGroups
                    ? state
                    : state.inGroup(BinaryFields.readOptional(
                            from, group -> BinaryFields.readList(group, CodedInputStream::readString)));
        });
        Preferences preferences =
                (flags & HAS_PREFERENCES) != 0 ? PREFERENCES.reader().read(in) : Preferences.NONE;
        long sinceLastEvent = in.readUInt64();
        long lastEventMs = sinceLastEvent == 0 ? UserState.NO_EVENT : newestMs - sinceLastEvent + 1;
        MessageState messages = MessageFields.read(newestMs, in);
        long wakeUpMs = in.readSInt64();
        return new UserState(
                id,
                profile,
                preferences,
                (flags & CONTROL) != 0,
                createdMs,
                updatedMs,
                newestMs,
                sequence,
                rulesVersion,
                metrics,
                sums,
                points,
                completions,
                streak,
                active,
                boosts,
                boostsAnnouncedTo,
                boards,
                lastEventMs,
                messages,
                wakeUpMs);
    }

    private static Profile readProfile(int flags, CodedInputStream in) throws IOException {
        String email = (flags & HAS_EMAIL) != 0 ? in.readString() : null;
        String name = (flags & HAS_NAME) != 0 ? in.readString() : null;
        ZoneId tz = (flags & HAS_TZ) != 0 ? Zones.stored(in.readString()) : null;
        LocalDate signUpDate = (flags & HAS_SIGN_UP_DATE) != 0 ? LocalDate.ofEpochDay(in.readSInt32()) : null;
        Boolean subscribes = (flags & SUBSCRIPTION_IS_SET) != 0 ? (flags & SUBSCRIBES) != 0 : null;
        List<String> tokens = BinaryFields.readList(in, CodedInputStream::readString);
        var attributes = new TreeMap<String, String>();
        for (int left = BinaryFields.readCount(in); left > 0; left--) {
            attributes.put(in.readString(), in.readString());
        }
        return new Profile(email, name, tz, tokens, subscribes, signUpDate, attributes);
    }

    /** @param nearMs a time that the reader knows; the nearer it is to the time of the change, the shorter is the form */
    private static void writeBoard(LeaderboardState state, long nearMs, CodedOutputStream out) throws IOException {
        out.writeSInt32NoTag(state.run());
        BinaryFields.writeDecimal(state.value(), out);
        out.writeSInt64NoTag(state.changedMs() - nearMs);
    }

    private static LeaderboardState readBoard(long nearMs, CodedInputStream in) throws IOException {
        return new LeaderboardState(in.readSInt32(), BinaryFields.readDecimal(in), nearMs + in.readSInt64());
    }

    /** The fields of a user's messages in {@link UserCodecs#USER}. */
    private static final class MessageFields {

        private static final int HAS_REACTIVATION = 1;
        private static final int HAS_REMINDER = 2;
        private static final int HAS_RECAP_DAY = 4;
        private static final int HAS_RECAPPED = 8;
        private static final int HAS_WAITING = 16;
        private static final int HAS_SENT = 32;

        private static final int IS_RETURNED = 1;
        private static final int IS_OPENED = 2;
        private static final int IS_CLICKED = 4;

        private MessageFields() {}

        /** Writes one byte for most users. @param newestMs the time of the user's newest command */
        static void write(MessageState messages, long newestMs, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag((messages.reactivatedDays() != 0 ? HAS_REACTIVATION : 0)
                    | (messages.remindedTo() != MessageState.NONE_YET ? HAS_REMINDER : 0)
                    | (messages.recapDay() != MessageState.NONE_YET ? HAS_RECAP_DAY : 0)
                    | (messages.recappedTo() != MessageState.NONE_YET ? HAS_RECAPPED : 0)
                    | (messages.waiting().isEmpty() ? 0 : HAS_WAITING)
                    | (messages.sent().isEmpty() ? 0 : HAS_SENT));
            if (messages.reactivatedDays() != 0) {
                out.writeUInt32NoTag(messages.reactivatedDays());
            }
            writeUnlessNone(messages.remindedTo(), out);
            writeUnlessNone(messages.recapDay(), out);
            writeUnlessNone(messages.recappedTo(), out);
            if (!messages.waiting().isEmpty()) {
                out.writeSInt64NoTag(messages.windowMs() - newestMs);
                BinaryFields.writeList(messages.waiting(), out, (achievement, to) -> to.writeUInt32NoTag(achievement));
            }
            if (!messages.sent().isEmpty()) {
                BinaryFields.writeList(messages.sent(), out, (sent, to) -> writeSent(sent, newestMs, to));
            }
        }

        private static void writeSent(SentMessage sent, long newestMs, CodedOutputStream out) throws IOException {
            out.writeFixed64NoTag(sent.id());
            out.writeSInt64NoTag(sent.dueMs() - newestMs);
            out.writeSInt32NoTag(sent.counted().day() - LocalDays.dayOf(sent.dueMs(), ZoneOffset.UTC));
            out.writeUInt32NoTag(sent.counted().emailTemplate());
            out.writeUInt32NoTag(sent.counted().pushTemplate());
            out.writeUInt32NoTag((sent.isReturned() ? IS_RETURNED : 0)
                    | (sent.isOpened() ? IS_OPENED : 0)
                    | (sent.isClicked() ? IS_CLICKED : 0));
        }

        private static SentMessage readSent(long newestMs, CodedInputStream in) throws IOException {
            long id = in.readFixed64();
            long dueMs = newestMs + in.readSInt64();
            var counted = new CountedMessage(
                    LocalDays.dayOf(dueMs, ZoneOffset.UTC) + in.readSInt32(), in.readUInt32(), in.readUInt32());
            int flags = in.readUInt32();
            return new SentMessage(
                    id,
                    dueMs,
                    counted,
                    (flags & IS_RETURNED) != 0,
                    (flags & IS_OPENED) != 0,
                    (flags & IS_CLICKED) != 0);
        }

        private static void writeUnlessNone(int value, CodedOutputStream out) throws IOException {
            if (value != MessageState.NONE_YET) {
                out.writeSInt32NoTag(value);
            }
        }

        /** @param newestMs the time of the user's newest command */
        static MessageState read(long newestMs, CodedInputStream in) throws IOException {
            int flags = in.readUInt32();
            if (flags == 0) {
                return MessageState.NONE;
            }
            int reactivatedDays = (flags & HAS_REACTIVATION) != 0 ? in.readUInt32() : 0;
            int remindedTo = (flags & HAS_REMINDER) != 0 ? in.readSInt32() : MessageState.NONE_YET;
            int recapDay = (flags & HAS_RECAP_DAY) != 0 ? in.readSInt32() : MessageState.NONE_YET;
            int recappedTo = (flags & HAS_RECAPPED) != 0 ? in.readSInt32() : MessageState.NONE_YET;
            boolean hasWaiting = (flags & HAS_WAITING) != 0;
            long windowMs = hasWaiting ? newestMs + in.readSInt64() : 0;
            List<Integer> waiting = hasWaiting ? BinaryFields.readList(in, CodedInputStream::readUInt32) : List.of();
            List<SentMessage> sent =
                    (flags & HAS_SENT) != 0 ? BinaryFields.readList(in, from -> readSent(newestMs, from)) : List.of();
            return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, windowMs, waiting, sent);
        }
    }

    /** Writes and reads points, awards and boosts of users as parts of stored values. */
    private static final class PointsFields {

        private static final Form<UserBoost> BOOST = Form.of(UserBoost.class);

        static final Form<List<UserBoost>> BOOSTS = Form.list(BOOST);

        /** The numbers of the kinds of applied boosts. */
        private static final int OF_RULESET = 0;

        private static final int OF_USER = 1;

        private PointsFields() {}

        static void writePoints(PointsState points, CodedOutputStream out) throws IOException {
            out.writeUInt64NoTag(points.total());
            out.writeUInt32NoTag(points.awards());
            writeAwards(points.newest(), out);
            BinaryFields.writeMap(points.counts(), out, PointsFields::writeNumber);
            out.writeSInt32NoTag(points.day());
            out.writeSInt64NoTag(points.dayChange());
        }

        static PointsState readPoints(CodedInputStream in) throws IOException {
            return new PointsState(
                    in.readUInt64(),
                    in.readUInt32(),
                    readAwards(in),
                    BinaryFields.readMap(in, CodedInputStream::readSInt64),
                    in.readSInt32(),
                    in.readSInt64());
        }

        static void writeNumber(Long number, CodedOutputStream out) throws IOException {
            out.writeSInt64NoTag(number);
        }

        /**
         * Writes awards of one system that follow each other: the first in full, the others by their difference from the one
         * before. An award takes about ten bytes.
         */
        static void writeAwards(List<Award> awards, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(awards.size());
            long atMs = 0;
            long total = 0;
            for (int i = 0; i < awards.size(); i++) {
                Award award = awards.get(i);
                if (i == 0) {
                    out.writeUInt32NoTag(award.system());
                    out.writeUInt32NoTag(award.sequence());
                    total = award.total() - award.awarded();
                    out.writeUInt64NoTag(total);
                }
                out.writeSInt64NoTag(award.atMs() - atMs);
                out.writeSInt64NoTag(award.awarded());
                out.writeUInt32NoTag(award.trigger());
                out.writeUInt64NoTag(award.rulesetVersion());
                BinaryFields.writeList(award.boosts(), out, PointsFields::writeApplied);
                atMs = award.atMs();
            }
        }

        private static void writeApplied(AppliedBoost applied, CodedOutputStream out) throws IOException {
            switch (applied) {
                case AppliedBoost.OfRuleset(int number) -> {
                    out.writeUInt32NoTag(OF_RULESET);
                    out.writeSInt32NoTag(number);
                }
                case AppliedBoost.OfUser(UserBoost boost) -> {
                    out.writeUInt32NoTag(OF_USER);
                    BOOST.writer().write(boost, out);
                }
            }
        }

        private static AppliedBoost readApplied(CodedInputStream in) throws IOException {
            int kind = in.readUInt32();
            return switch (kind) {
                case OF_RULESET -> new AppliedBoost.OfRuleset(in.readSInt32());
                case OF_USER -> new AppliedBoost.OfUser(BOOST.reader().read(in));
                default -> throw new IOException("there is no kind " + kind + " of applied boosts");
            };
        }

        static List<Award> readAwards(CodedInputStream in) throws IOException {
            int size = BinaryFields.readCount(in);
            if (size == 0) {
                return List.of();
            }
            if (size > PointsState.PAGE) {
                throw new IOException(
                        "a ledger page has " + size + " awards; at most " + PointsState.PAGE + " are allowed");
            }
            var awards = new Award[size];
            int system = in.readUInt32();
            int sequence = in.readUInt32();
            long total = in.readUInt64();
            long atMs = 0;
            for (int i = 0; i < size; i++) {
                atMs += in.readSInt64();
                long awarded = in.readSInt64();
                total += awarded;
                awards[i] = new Award(
                        system,
                        sequence + i,
                        atMs,
                        awarded,
                        total,
                        in.readUInt32(),
                        in.readUInt64(),
                        BinaryFields.readList(in, PointsFields::readApplied));
            }
            return List.of(awards);
        }
    }
}
