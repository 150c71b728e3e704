package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.GenerationFacts;
import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
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
    void shouldAcceptGenerationInForce() {
        deployment.expectOk(ApplicationChecks::generations, "1 is in force");
    }

    @ParameterizedTest
    @EnumSource(value = State.class, names = {"BUILDING", "FOLLOWED"})
    void shouldWarnIfGenerationIsBeingBuilt(State state) {
        deployment.generations = new GenerationFacts(Generation.FIRST,
                List.of(GenerationRecord.claimed(Generation.of(2), List.of(), null).in(state)));

        deployment.expectOnly(ApplicationChecks::generations, Status.warn, "generation 2",
                "is being built beside generation 1, which is in force",
                "if no replay is running: deploy/laurel replay --give-up --kafka " + Deployment.BROKERS);
    }

    @Test
    void shouldWarnIfPromotedGenerationIsNotInForce() {
        deployment.generations = new GenerationFacts(Generation.FIRST, List.of(GenerationRecord
                .claimed(Generation.wider(2), List.of(), "laurel.commands")
                .promoted(List.of(4L, 4L))));

        deployment.expectOnly(ApplicationChecks::generations, Status.warn, "generation 2",
                "is promoted, but not in force yet",
                "check again in a minute; if the state persists, a node cannot continue: see its log");
    }

    @Test
    void shouldWarnIfLogIsStillBeingCopied() {
        deployment.grow();

        deployment.expectOnly(ApplicationChecks::generations, Status.warn, "generation 2",
                "laurel.commands is still being copied into its log, " + Generation.wider(2).log(),
                "when no producer writes to laurel.commands any more: deploy/laurel replay --end-copying --kafka "
                        + Deployment.BROKERS);
    }

    /** Otherwise a stopped copier would go unnoticed, and records of old clients would not be copied. */
    @Test
    void shouldIncludeCopierWhileItIsNeeded() {
        deployment.grow();

        StreamsApplication copier = deployment.facts().cluster().applications().getLast();
        assertEquals(new StreamsApplication("laurel-widen-g2", "node", "laurel.commands", List.of()),
                copier);
    }
}
