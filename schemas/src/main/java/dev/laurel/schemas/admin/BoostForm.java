package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.wire.BoostConfigBody;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Boosts of a points system that are for all users, or for those with certain attributes (admin-api.md A4). One of a single
 * user is a command of that user and never comes here.
 */
final class BoostForm implements ObjectForm {

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        var boosts = new LinkedHashMap<>(draft.points.get(parent).boosts());
        add(boosts, id, item, draft);
        draft.points.put(parent, draft.points.get(parent).withBoosts(boosts));
    }

    /** @return the new boost's key, its id */
    static String add(Map<String, BoostSource> boosts, UUID id, Item item, SourceDraft draft)
            throws BadInputException {
        if (item.has("userId")) {
            throw item.bad("userId", "belongs to a boost of a single user, which can be added only to a points system "
                    + "that exists, and not together with others");
        }
        String key = id.toString();
        item.require("name");
        item.require("start");
        item.require("multiplier");
        boosts.put(key,
                new BoostSource(id, item.text("name"), item.text("start"), item.text("end"),
                        item.number("multiplier"), item.text("rounding"),
                        SharedFields.filters(item, "userAttributes", AttributeType.USER, draft, Map.of())));
        return key;
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        var boosts = new LinkedHashMap<>(draft.points.get(parent).boosts());
        BoostSource before = boosts.get(key);
        boosts.put(key, new BoostSource(before.id(), SharedFields.text(item, "name", before.name()),
                start(item, before.start(), draft), SharedFields.clearable(item, "end", before.end()),
                item.has("multiplier") ? item.number("multiplier") : before.multiplier(),
                SharedFields.text(item, "rounding", before.rounding()), SharedFields.filters(item, "userAttributes",
                        AttributeType.USER, draft, before.userAttributes())));
        draft.points.put(parent, draft.points.get(parent).withBoosts(boosts));
    }

    private static String start(Item item, String before, SourceDraft draft) throws BadInputException {
        String start = SharedFields.text(item, "start", before);
        if (!start.equals(before) && !LocalDate.parse(before).isAfter(today(draft.now))) {
            throw item.bad("start", "can only be changed before the boost has started, which was on " + before);
        }
        return start;
    }

    private static LocalDate today(Instant now) {
        return LocalDate.ofInstant(now, ZoneOffset.UTC);
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        var boosts = new LinkedHashMap<>(draft.points.get(parent).boosts());
        boosts.remove(key);
        draft.points.put(parent, draft.points.get(parent).withBoosts(boosts));
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return SourceDraft.keyOf(draft.points.get(parent).boosts(), id, BoostSource::id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("points", parent, "boosts", key);
    }

    @Override
    public List<BoostConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return bodies(PointsSystemForm.byId(ruleset, parent), new ObjectIds(ruleset), now);
    }

    static List<BoostConfigBody> bodies(PointsSystem system, ObjectIds ids, Instant now) {
        return system.boosts().stream().map(boost -> body(boost, ids, today(now))).toList();
    }

    private static BoostConfigBody body(Boost boost, ObjectIds ids, LocalDate today) {
        return new BoostConfigBody(boost.id(), boost.name(),
                BoostConfigBody.statusOn(today, boost.start(), boost.end()), boost.start(), boost.end(),
                boost.multiplier(), boost.rounding().name().toLowerCase(Locale.ROOT), null,
                Optional.of(ids.filters(AttributeType.USER, boost.userAttributes())));
    }
}
