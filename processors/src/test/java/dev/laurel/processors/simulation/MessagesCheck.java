package dev.laurel.processors.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Messages are sent in time, once, not while timers are held, and not to the control group. */
final class MessagesCheck implements Check {

    private static final String LATE = "a message comes too late";
    private static final String TWICE = "a message is sent twice";
    private static final String UNWANTED = "a message is sent to a user of the control group";

    private final Set<String> written = new HashSet<>();

    @Override
    public void after(World world, World.Turn turn) {
        for (Outgoing outgoing : turn.outgoing()) {
            if (outgoing instanceof Outgoing.Message message) {
                check(world, turn.step(), message);
            }
        }
    }

    private void check(World world, Step step, Outgoing.Message message) {
        Instant at = message.at();
        Checks.that(
                LATE,
                !at.isAfter(world.now()) && !at.isBefore(step.at().minus(Duration.ofDays(1))),
                () -> message + " by " + step);
        Checks.that(
                UNWANTED, !(step instanceof Step.Ticks && world.isHeld()), () -> message + " while timers are held");
        UserState state = world.state(UserKey.of(message.user().value()));
        Checks.that(UNWANTED, !state.control(), () -> message + " of " + state);
        JsonNode facts = Json.mapperForTools().readTree(message.facts().getBytes(UTF_8));
        // A user who was erased and created again is another user.
        String about = message.user() + " " + facts.get("user").get("created") + " " + message.notification() + " " + at
                + " " + facts.path("achievement").path("id");
        Checks.that(TWICE, written.add(about), () -> about);
    }
}
