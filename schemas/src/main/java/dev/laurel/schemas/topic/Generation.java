package dev.laurel.schemas.topic;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One fold of the log, beside others: with applications, changelogs, scores, floors and folders of its own. State is a
 * function of the log and the rules, so there may be as many as one likes, and one of them is in force. The first has the
 * names that there were before there was another; those are durable data.
 *
 * @param number 1, 2, …
 * @param log the topic that is folded
 */
public record Generation(int number, String log) {

    private static final String LEDGER = "laurel-ledger";
    private static final String BOARDS = "laurel-boards";
    private static final String COPIER = "laurel-widen";
    private static final Pattern OTHERS = Pattern.compile("-g\\d+-");
    private static final Pattern NUMBERED = Pattern.compile(
            "(?:laurel-(?:ledger|boards)|laurel\\.(?:scores|board-floors))-g([1-9]\\d{0,8}|1\\d{9})(?:-.*-changelog)?");
    private static final int FIRST_REPORT = 1_000_000_000;

    /** What an instance begins with. */
    public static final Generation FIRST = new Generation(1, Topics.COMMANDS.name());

    public Generation {
        if (number < 1) {
            throw new IllegalArgumentException("generations are numbered from 1, there is no " + number);
        }
    }

    /** The one with this number, of the log that everybody writes to. */
    public static Generation of(int number) {
        return new Generation(number, Topics.COMMANDS.name());
    }

    /** One that is only to be looked at, and named like no other. @param number at random, not negative */
    public static Generation ofReport(int number) {
        return of(Math.floorMod(number, Integer.MAX_VALUE - FIRST_REPORT) + FIRST_REPORT);
    }

    /** Whether it is only to be looked at: it can never be in force. */
    public boolean isReport() {
        return number >= FIRST_REPORT;
    }

    private String named(String name) {
        return named(name, number);
    }

    private static String named(String name, int number) {
        return number == 1 ? name : name + "-g" + number;
    }

    /** One that brings a wider log of its own. */
    public static Generation wider(int number) {
        return new Generation(number, named(Topics.COMMANDS.name(), number));
    }

    /** Whether the log came with this generation, and with no other. */
    public boolean bringsLog() {
        return number > 1 && log.equals(named(Topics.COMMANDS.name(), number));
    }

    /** 1 for the log that an instance begins with, else the number of the generation that brought it. */
    public int logNumber() {
        return numberOf(log);
    }

    /** @param log a topic, see {@link #logNumber} */
    public static int numberOf(String log) {
        String first = Topics.COMMANDS.name();
        if (log.equals(first)) {
            return 1;
        }
        String beginning = first + "-g";
        if (log.startsWith(beginning)) {
            try {
                return Integer.parseInt(log.substring(beginning.length()));
            } catch (NumberFormatException _) {
                // said below
            }
        }
        throw new IllegalArgumentException(log + " is no log of commands");
    }

    /** Application id of what copies the former log into the one that this generation brings. */
    public String copier() {
        return named(COPIER);
    }

    /** Application id of the ledger: its group, and the beginning of its changelogs' names. */
    public String ledgerApplication() {
        return named(LEDGER);
    }

    /** Application id of the boards. */
    public String boardsApplication() {
        return named(BOARDS);
    }

    /** Where its ledger tells its boards. */
    public String scores() {
        return named(Topics.SCORES.name());
    }

    /** Where its boards tell its ledger. */
    public String floors() {
        return named(Topics.BOARD_FLOORS.name());
    }

    /** Groups of its own. */
    public List<String> groups() {
        return bringsLog()
                ? List.of(ledgerApplication(), boardsApplication(), copier())
                : List.of(ledgerApplication(), boardsApplication());
    }

    /** Whether this topic is one of its changelogs. The first generation's names are how all others' begin. */
    public boolean hasChangelog(String topic) {
        return groups().stream().anyMatch(application -> topic.startsWith(application + "-")
                && topic.endsWith("-changelog") && !OTHERS.matcher(topic.substring(application.length())).lookingAt());
    }

    /** The number in the name of a topic or group that is a generation's own; 0 if there is none. */
    public static int numberIn(String name) {
        Matcher matcher = NUMBERED.matcher(name);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** The topics that are its own, each like the one of the catalogue that it stands for; changelogs are made by Streams. */
    public List<Topic<?, ?>> topics() {
        return List.of(Topics.SCORES.named(scores()), floorsTopic());
    }

    /** {@link #floors} with its types. */
    public Topic<byte[], byte[]> floorsTopic() {
        return Topics.BOARD_FLOORS.named(floors());
    }
}
