package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.wire.MetricConfigBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Metrics (admin-api.md A3). */
final class MetricForm implements ObjectForm {

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        String name = item.requiredText("name");
        String key = SharedFields.newKey(item, draft.metrics, "metric");
        draft.metrics.put(key, new MetricSource(id, name, item.text("unitType"), item.text("units")));
        draft.origins.add(new Origin.Fresh("metric", key));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        MetricSource before = draft.metrics.get(key);
        draft.metrics.put(key,
                new MetricSource(before.id(), SharedFields.text(item, "name", before.name()),
                        SharedFields.text(item, "unitType", before.unitType()),
                        SharedFields.text(item, "units", before.units())));
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.metrics.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.metricKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("metrics", key);
    }

    @Override
    public List<MetricConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return ruleset.metrics().stream().sorted(Comparator.comparingInt(Metric::number))
                .map(m -> new MetricConfigBody(m.id(), m.name(), m.key(), m.unitType(), m.units())).toList();
    }
}
