package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.facts.Application;
import dev.laurel.deploy.tools.doctor.facts.GenerationFacts;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class GenerationsCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptTheOneInForce() {
        deployment.expectOk(new GenerationsCheck(), "1 is in force");
    }

    @ParameterizedTest
    @EnumSource(value = State.class, names = {"BUILDING", "FOLLOWED"})
    void shouldTellOfOneThatIsBuilt(State state) {
        deployment.generations = new GenerationFacts(Generation.FIRST,
                List.of(GenerationRecord.claimed(Generation.of(2), List.of(), null).in(state)));

        deployment.expectOnly(new GenerationsCheck(), Status.warn, "generation 2",
                "is being built beside generation 1, which is in force",
                "if no replay runs any more: deploy/laurel replay --give-up --kafka " + Deployment.BROKERS);
    }

    @Test
    void shouldTellOfOneThatIsComingIntoForce() {
        deployment.generations = new GenerationFacts(Generation.FIRST, List.of(GenerationRecord
                .claimed(Generation.wider(2), List.of(), "laurel.commands")
                .promoted(List.of(4L, 4L))));

        deployment.expectOnly(new GenerationsCheck(), Status.warn, "generation 2", "is coming into force",
                "look again in a minute; if it stays so, a node cannot go on: see its log");
    }

    @Test
    void shouldTellOfALogThatIsStillCopied() {
        deployment.grow();

        deployment.expectOnly(new GenerationsCheck(), Status.warn, "generation 2",
                "laurel.commands is still copied into its log, " + Generation.wider(2).log(),
                "when nobody writes to laurel.commands any more: deploy/laurel replay --end-copying --kafka "
                        + Deployment.BROKERS);
    }

    /** It would not be seen otherwise that nobody copies what old clients write. */
    @Test
    void shouldHaveTheCopierAmongTheApplicationsWhileItIsNeeded() {
        deployment.grow();

        Application copier = deployment.facts().cluster().applications().getLast();
        assertEquals(new Application("laurel-widen-g2", "node", "laurel.commands", List.of()), copier);
    }
}
