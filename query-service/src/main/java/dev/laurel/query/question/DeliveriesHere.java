package dev.laurel.query.question;

import dev.laurel.query.locate.DeliveryPartitions;
import dev.laurel.query.question.Question.OfDeliveries;

/** This process, as if it were the only one that delivers. Thread-safe. */
public record DeliveriesHere(DeliveryPartitions partitions) implements Deliveries {

    @Override
    public <A extends Record> A ask(OfDeliveries<A> question) {
        return question.answer(partitions, question.partitionsOf(partitions.count()).boxed().toList());
    }
}
