package dev.laurel.processors.store.users;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.processors.store.BinaryFields;
import dev.laurel.processors.store.Form;
import dev.laurel.schemas.input.Zones;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;

/** Writes and reads streaks and their blocks as parts of stored values. Fields that most users do not have cost a bit. */
final class StreakFields {

    private static final int HAS_PERIODS = 1;
    private static final int HAS_BLOCK = 2;
    private static final int HAS_EXTENSION = 4;
    private static final int HAS_SUMS = 8;
    private static final int HAS_ZONE_CHANGE = 16;
    private static final int HAS_PAUSES = 32;
    private static final int HAS_FORMER_ZONE = 64;
    private static final int HAS_DAYS_OFF = 128;
    private static final int HAS_RESETS = 256;

    private static final Form<List<Pause>> PAUSES = Form.list(Form.of(Pause.class));
    private static final Form<List<Reset>> RESETS = Form.list(Form.of(Reset.class));
    private static final Form<List<StreakBlock.Pin>> PINS = Form.list(Form.of(StreakBlock.Pin.class));
    private static final Form<DaysOff> DAYS_OFF = Form.of(DaysOff.class);

    private static final StreakFrequency[] FREQUENCIES = StreakFrequency.values();
    private static final DayOfWeek[] DAYS = DayOfWeek.values();

    private StreakFields() {}

    static void write(StreakState streak, CodedOutputStream out) throws IOException {
        boolean hasSums = streak.sumsPeriod() != Integer.MIN_VALUE;
        boolean hasBlock = streak.newest() != StreakBlock.EMPTY;
        out.writeUInt32NoTag(HAS_PERIODS
                | (hasBlock ? HAS_BLOCK : 0)
                | (streak.extendedAtMs() != StreakState.NEVER ? HAS_EXTENSION : 0)
                | (hasSums ? HAS_SUMS : 0)
                | (streak.zoneChangedMs() != StreakState.NEVER ? HAS_ZONE_CHANGE : 0)
                | (streak.pauses().isEmpty() ? 0 : HAS_PAUSES)
                | (streak.extendedIn() != null ? HAS_FORMER_ZONE : 0)
                | (streak.daysOff().equals(DaysOff.NONE) ? 0 : HAS_DAYS_OFF)
                | (streak.resets().isEmpty() ? 0 : HAS_RESETS));
        out.writeUInt32NoTag(streak.periods().frequency().ordinal());
        out.writeUInt32NoTag(streak.periods().weekStart().ordinal());
        if (hasBlock) {
            writeBlock(streak.newest(), out);
        }
        out.writeSInt32NoTag(streak.judgedTo());
        out.writeUInt32NoTag(streak.length());
        out.writeUInt32NoTag(streak.longest());
        out.writeSInt32NoTag(streak.startedDay());
        if (streak.extendedAtMs() != StreakState.NEVER) {
            out.writeSInt64NoTag(streak.extendedAtMs());
        }
        if (hasSums) {
            out.writeSInt32NoTag(streak.sumsPeriod());
            BinaryFields.writeMap(streak.sums(), out, BinaryFields::writeDecimal);
        }
        out.writeUInt32NoTag(streak.freezes());
        out.writeSInt32NoTag(streak.createdDay());
        out.writeSInt32NoTag(streak.earnedTo());
        if (streak.zoneChangedMs() != StreakState.NEVER) {
            out.writeSInt64NoTag(streak.zoneChangedMs());
        }
        ZoneId extendedIn = streak.extendedIn();
        if (extendedIn != null) {
            out.writeStringNoTag(extendedIn.getId());
        }
        if (!streak.pauses().isEmpty()) {
            PAUSES.writer().write(streak.pauses(), out);
        }
        if (!streak.daysOff().equals(DaysOff.NONE)) {
            DAYS_OFF.writer().write(streak.daysOff(), out);
        }
        if (!streak.resets().isEmpty()) {
            RESETS.writer().write(streak.resets(), out);
        }
    }

    static void writeBlock(StreakBlock block, CodedOutputStream out) throws IOException {
        out.writeSInt32NoTag(block.number());
        out.writeUInt32NoTag(block.kept());
        if (block.kept() > 0) {
            out.writeSInt32NoTag(block.kept() - block.shown());
            out.writeSInt32NoTag(block.startedDay());
        }
        out.writeByteArrayNoTag(block.verdicts());
        PINS.writer().write(block.pins(), out);
    }

    static StreakState read(CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        Periods periods = (flags & HAS_PERIODS) == 0
                ? StreakState.NONE.periods()
                : new Periods(BinaryFields.readConstant(FREQUENCIES, in), BinaryFields.readConstant(DAYS, in));
        StreakBlock newest = (flags & HAS_BLOCK) == 0 ? StreakBlock.EMPTY : readBlock(in);
        int judgedTo = in.readSInt32();
        int length = in.readUInt32();
        int longest = in.readUInt32();
        int startedDay = in.readSInt32();
        long extendedAtMs = (flags & HAS_EXTENSION) == 0 ? StreakState.NEVER : in.readSInt64();
        int sumsPeriod = (flags & HAS_SUMS) == 0 ? Integer.MIN_VALUE : in.readSInt32();
        IntKeyedMap<BigDecimal> sums =
                (flags & HAS_SUMS) == 0 ? IntKeyedMap.empty() : BinaryFields.readMap(in, BinaryFields::readDecimal);
        int freezes = in.readUInt32();
        int createdDay = in.readSInt32();
        int earnedTo = in.readSInt32();
        long zoneChangedMs = (flags & HAS_ZONE_CHANGE) == 0 ? StreakState.NEVER : in.readSInt64();
        ZoneId extendedIn = (flags & HAS_FORMER_ZONE) == 0 ? null : Zones.stored(in.readString());
        List<Pause> pauses =
                (flags & HAS_PAUSES) == 0 ? List.of() : PAUSES.reader().read(in);
        DaysOff daysOff =
                (flags & HAS_DAYS_OFF) == 0 ? DaysOff.NONE : DAYS_OFF.reader().read(in);
        List<Reset> resets =
                (flags & HAS_RESETS) == 0 ? List.of() : RESETS.reader().read(in);
        return new StreakState(
                periods,
                newest,
                judgedTo,
                length,
                longest,
                startedDay,
                extendedAtMs,
                sumsPeriod,
                sums,
                freezes,
                createdDay,
                earnedTo,
                zoneChangedMs,
                extendedIn,
                pauses,
                daysOff,
                resets);
    }

    static StreakBlock readBlock(CodedInputStream in) throws IOException {
        int number = in.readSInt32();
        int kept = in.readUInt32();
        int shown = kept == 0 ? 0 : kept - in.readSInt32();
        int startedDay = kept == 0 ? 0 : in.readSInt32();
        byte[] verdicts = in.readByteArray();
        return new StreakBlock(
                number, shown, kept, startedDay, verdicts, PINS.reader().read(in));
    }
}
