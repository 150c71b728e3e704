package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.KafkaTools;
import dev.laurel.schemas.topic.GenerationRecord;
import java.util.ArrayList;
import java.util.List;

/** Nothing of a replay or of a growth is left half-way. */
public final class GenerationsCheck implements Check {

    private static final String NAME = "generations";

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null || facts.cluster().topics().isEmpty()) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        int inForce = facts.cluster().generations().inForce().number();
        for (GenerationRecord record : facts.cluster().generations().unfinished()) {
            String subject = "generation " + record.number();
            switch (record.state()) {
                case BUILDING, FOLLOWED -> findings.add(Finding.warn(NAME, subject,
                        "is being built beside generation " + inForce + ", which is in force",
                        "if no replay runs any more: " + facts.tools().laurel("replay --give-up")));
                case PROMOTED -> findings.add(Finding.warn(NAME, subject, "is coming into force",
                        "look again in a minute; if it stays so, a node cannot go on: see its log"));
                case IN_FORCE, OVER -> findings.add(copying(record, subject, facts.tools()));
            }
        }
        return findings.isEmpty() ? List.of(Finding.ok(NAME, "", inForce + " is in force")) : findings;
    }

    private static Finding copying(GenerationRecord record, String subject, KafkaTools tools) {
        return Finding.warn(NAME, subject, record.copiedFrom() + " is still copied into its log, " + record.log(),
                "when nobody writes to " + record.copiedFrom() + " any more: " + tools.laurel("replay --end-copying"));
    }
}
