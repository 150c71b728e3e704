package dev.laurel.processors.simulation;

/** A replay of the log leads to the same stores, effects, messages and answers, byte for byte. */
final class ReplayCheck implements Check {

    private static final String PROPERTY = "a replay differs";

    @Override
    public void whole(World world) {
        try (World again = world.refolded()) {
            Checks.equal(PROPERTY, world.ledger().contents(), again.ledger().contents(), "stores");
            Checks.equal(PROPERTY, world.effects(), again.effects(), "effects");
            Checks.equal(PROPERTY, world.outgoing(), again.outgoing(), "what leaves the instance");
            Checks.equal(PROPERTY, world.ledger().answered(), again.ledger().answered(), "answers");
            Checks.equal(PROPERTY, world.rejections(), again.rejections(), "rejections");
        }
    }
}
