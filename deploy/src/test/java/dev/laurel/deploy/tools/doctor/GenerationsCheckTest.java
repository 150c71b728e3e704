package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class GenerationsCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptTheOneInForce() {
        deployment.expectOk(new ApplicationChecks.GenerationsCheck(), "1 is in force");
    }

    @ParameterizedTest
    @EnumSource(value = State.class, names = {"BUILDING", "FOLLOWED"})
    void shouldTellOfOneThatIsBuilt(State state) {
        deployment.generations = new ClusterFacts.GenerationFacts(Generation.FIRST,
                List.of(GenerationRecord.claimed(Generation.of(2), List.of(), null).in(state)));

        deployment.expectOnly(new ApplicationChecks.GenerationsCheck(), Status.warn, "generation 2",
                "is being built beside generation 1, which is in force",
                "if no replay runs any more: deploy/laurel replay --give-up --kafka " + Deployment.BROKERS);
    }

    @Test
    void shouldTellOfOneThatIsComingIntoForce() {
        deployment.generations = new ClusterFacts.GenerationFacts(Generation.FIRST, List.of(GenerationRecord
                .claimed(Generation.wider(2), List.of(), "laurel.commands")
                .promoted(List.of(4L, 4L))));

        deployment.expectOnly(new ApplicationChecks.GenerationsCheck(), Status.warn, "generation 2",
                "is coming into force",
                "look again in a minute; if it stays so, a node cannot go on: see its log");
    }

    @Test
    void shouldTellOfALogThatIsStillCopied() {
        deployment.grow();

        deployment.expectOnly(new ApplicationChecks.GenerationsCheck(), Status.warn, "generation 2",
                "laurel.commands is still copied into its log, " + Generation.wider(2).log(),
                "when nobody writes to laurel.commands any more: deploy/laurel replay --end-copying --kafka "
                        + Deployment.BROKERS);
    }

    /** Otherwise nobody would notice that records of old clients are not copied. */
    @Test
    void shouldHaveTheCopierAmongTheApplicationsWhileItIsNeeded() {
        deployment.grow();

        ClusterFacts.StreamsApplication copier = deployment.facts().cluster().applications().getLast();
        assertEquals(new ClusterFacts.StreamsApplication("laurel-widen-g2", "node", "laurel.commands", List.of()),
                copier);
    }
}
