package dev.laurel.deploy.tools.doctor.check;

import dev.laurel.deploy.tools.doctor.Check;
import dev.laurel.deploy.tools.doctor.Finding;
import dev.laurel.deploy.tools.doctor.facts.Application;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.GroupFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.LagFacts;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts.MemberFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The applications run, read every partition of their topics, and are not far behind. */
public final class GroupsCheck implements Check {

    private static final String NAME = "groups";
    private static final long MAX_LAG = 10_000;

    @Override
    public List<Finding> judge(Facts facts) {
        if (facts.cluster() == null || facts.cluster().topics().isEmpty()) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        for (Application application : facts.cluster().applications()) {
            GroupFacts group = facts.cluster().groups().get(application.id());
            String start = facts.tools().laurel(application.role());
            if (group == null) {
                findings.add(Finding.warn(NAME, application.id(), "has never run", start));
            } else {
                judge(group, start, findings);
            }
        }
        return findings;
    }

    private static void judge(GroupFacts group, String start, List<Finding> findings) {
        int before = findings.size();
        switch (group.state()) {
            case "Stable" -> {
                unread(group, start, findings);
                idle(group, findings);
            }
            case "Empty", "Dead" -> findings.add(Finding.fail(NAME, group.name(), "nobody runs it", start));
            default -> findings.add(Finding.warn(NAME, group.name(), "is in state " + group.state()
                    + ": partitions are being given out",
                    "look again in a minute; if it stays so, a member cannot start:"
                            + " see its log"));
        }
        late(group, findings);
        if (findings.size() == before) {
            long lag = group.lags().stream().mapToLong(LagFacts::records).sum();
            findings.add(Finding.ok(NAME, group.name(),
                    group.members().size() + " members, " + lag + " records behind"));
        }
    }

    private static void unread(GroupFacts group, String start, List<Finding> findings) {
        Set<String> read = new HashSet<>();
        group.members().forEach(member -> read.addAll(member.partitions()));
        String unread = group.lags().stream().map(lag -> lag.topic() + "-" + lag.partition())
                .filter(partition -> !read.contains(partition)).collect(Collectors.joining(", "));
        if (!unread.isEmpty()) {
            findings.add(Finding.fail(NAME, group.name(), "nobody reads " + unread,
                    "restart a member so that partitions are given out anew, or start one more: " + start));
        }
    }

    private static void idle(GroupFacts group, List<Finding> findings) {
        List<MemberFacts> idle = group.members().stream().filter(member -> member.partitions().isEmpty()).toList();
        if (!idle.isEmpty()) {
            findings.add(Finding.warn(NAME, group.name(),
                    idle.size() + " of " + group.members().size() + " stream threads have no partition, at "
                            + idle.stream().map(MemberFacts::host).distinct().sorted()
                                    .collect(Collectors.joining(", ")),
                    "fewer threads or processes, or more partitions (they are idle, unless they keep standbys)"));
        }
    }

    private static void late(GroupFacts group, List<Finding> findings) {
        List<LagFacts> late = group.lags().stream().filter(lag -> lag.records() > MAX_LAG)
                .sorted(Comparator.comparingLong(LagFacts::records).reversed()).toList();
        if (!late.isEmpty()) {
            findings.add(Finding.warn(NAME, group.name(), late.stream()
                    .map(lag -> lag.topic() + "-" + lag.partition() + " is " + lag.records() + " records behind")
                    .collect(Collectors.joining(", ")),
                    "look again: if it does not shrink, start another process or raise --threads; one partition alone may"
                            + " have a hot user or a stuck task: see the log of its member"));
        }
    }
}
