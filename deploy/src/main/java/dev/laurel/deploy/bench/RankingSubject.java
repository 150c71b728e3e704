package dev.laurel.deploy.bench;

import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A subject that can rank its users. It has two metrics that differ in nothing but leaderboards: what these cost is the
 * difference between events of the one and of the other.
 */
interface RankingSubject extends Subject {

    /**
     * Makes leaderboards active; until then there is none.
     *
     * @param leaderboards 1: one of all time; 2: another one, which begins anew every week
     */
    void rank(int leaderboards);

    /** An event now. @param ranked whether it changes the user's value on all leaderboards, or on none */
    ProducerRecord<byte[], byte[]> plainEvent(String user, boolean ranked);

    /** A whole HTTP/1.1 request that reports such an event; the answer to a ranked one brings the ranks. */
    byte[] plainEventRequest(String user, boolean ranked);

    /** A whole HTTP/1.1 request for a user's rank on the leaderboard of all time. */
    byte[] rankRequest(String user);
}
