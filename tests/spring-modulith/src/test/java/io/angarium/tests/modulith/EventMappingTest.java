package io.angarium.tests.modulith;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.PayloadException;
import io.angarium.TypeNames;
import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the application says about mapping, routing and headers holds. */
@SpringBootTest(
    classes = EventMappingTest.Application.class,
    properties = "spring.datasource.url=jdbc:h2:mem:mapping")
@AutoConfigureTestOutbox
class EventMappingTest {
  @Autowired ApplicationEventPublisher events;
  @Autowired PublishedMessages published;
  @Autowired PlatformTransactionManager transactions;

  record Plain(String id) {}

  record Named(String id) {}

  record Mapped(String name) {}

  record AsMap(String id) {}

  record Unnamed(String id) {}

  record Routed(String id, String region) {}

  record TargetAlone(String id) {}

  record Written(Object payload) {}

  record Unrouted(String id) {}

  record Headed(Object value) {}

  record First(String id) {}

  record Second(String id) {}

  static final class Classic extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    Classic() {
      super("source");
    }
  }

  /** As are trees of JSON. */
  record Tags(List<String> all) implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return all.iterator();
    }
  }

  private void publish(Object... all) {
    new TransactionTemplate(transactions)
        .executeWithoutResult(
            status -> {
              for (Object each : all) {
                events.publishEvent(each);
              }
            });
  }

  @Test
  void mappingNameHeadersAndKeyAreTheApplications() {
    publish(new Plain("1"), new Named("2"));

    published.containsExactly(
        ExpectedMessage.to("kafka:named")
            .key("2")
            .type("named-event")
            .header("content-type", "application/json")
            .header("tenant", "7")
            .payload("{\"name\":\"2!\"}"));
  }

  @Test
  void expressionsOfTargetAndKeyAreEvaluated() {
    publish(new Routed("3", "eu"), new TargetAlone("4"));

    published.containsExactly(
        ExpectedMessage.to("kafka:orders-eu").key("shop-3"),
        ExpectedMessage.to("kafka:alone").key(null));
  }

  @Test
  void bytesAndTextLeaveAsTheyAre() {
    publish(new Written("{}"), new Written(new byte[] {1, 2}));

    published.containsExactly(
        ExpectedMessage.to("kafka:written").payload("{}").type(null).header("content-type", null),
        ExpectedMessage.to("kafka:written").payload(new byte[] {1, 2}));
  }

  @Test
  void aMapHasNoTypeName() {
    publish(new AsMap("8"));

    published.containsExactly(
        ExpectedMessage.to("kafka:map")
            .type(null)
            .header("content-type", "application/json")
            .payload("{\"id\":\"8\"}"));
  }

  @Test
  void aCollectionOfTheApplicationHasNoTypeName() {
    publish(new Written(new Tags(List.of("9"))));

    published.containsExactly(
        ExpectedMessage.to("kafka:written").type(null).payload("{\"all\":[\"9\"]}"));
  }

  @Test
  void aMappingMayDecideTheWholeMessage() {
    publish(new Written(Message.of("http:hook", "x".getBytes(UTF_8)).key("k").business("b", "1")));

    published.containsExactly(ExpectedMessage.to("http:hook").key("k").business("b", "1"));
  }

  @Test
  void anEventComesBeforeThoseItsListenersPublish() {
    publish(new First("5"));

    published.containsExactly(
        ExpectedMessage.to("kafka:both").key("first"),
        ExpectedMessage.to("kafka:both").key("second"));
  }

  @Test
  void eventsOfSpringsOwnTypeAreSentAsWell() {
    publish(new Classic());

    published.containsExactly(ExpectedMessage.to("kafka:classic").payload("classic"));
  }

  @Test
  void whatCannotBeSentFailsThePublisher() {
    assertThatThrownBy(() -> publish(new Written(new GenericMessage<>("x"))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(Written.class.getName())
        .hasMessageContaining("the payload alone");
    assertThatThrownBy(() -> publish(new Unrouted("6")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(Unrouted.class.getName())
        .hasMessageContaining("missing");
    assertThatThrownBy(() -> publish(new Unnamed("7")))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(Unnamed.class.getName());
    assertThatThrownBy(() -> publish(new Headed(null)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("header h of event " + Headed.class.getName());
    published.isEmpty();
  }

  @Test
  void headersAreText() {
    publish(new Headed(12), new Headed("é".getBytes(UTF_8)));

    published.containsExactly(
        ExpectedMessage.to("kafka:headed").header("h", "12"),
        ExpectedMessage.to("kafka:headed").header("h", "é"));
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    EventExternalizationConfiguration externalization() {
      return EventExternalizationConfiguration.externalizing()
          // this takes the events of Spring as well
          .select(event -> !(event instanceof Plain))
          .mapping(Named.class, named -> new Mapped(named.id() + "!"))
          .mapping(AsMap.class, event -> Map.of("id", event.id()))
          .mapping(Written.class, Written::payload)
          .mapping(Classic.class, classic -> "classic")
          .headers(Mapped.class, mapped -> Map.of("tenant", 7))
          .headers(Headed.class, EventMappingTest::header)
          .route(Named.class, named -> target("kafka:named", named.id()))
          .route(AsMap.class, event -> target("kafka:map"))
          .route(
              Routed.class, routed -> target("#{'kafka:orders-' + region()}", "#{@prefix + id()}"))
          .route(TargetAlone.class, event -> target("#{'kafka:alone'}"))
          .route(Written.class, event -> target("kafka:written"))
          .route(Unrouted.class, event -> target("kafka:unrouted", "#{missing}"))
          .route(Unnamed.class, event -> target("kafka:unnamed"))
          .route(Headed.class, event -> target("kafka:headed"))
          .route(First.class, event -> target("kafka:both", "first"))
          .route(Second.class, event -> target("kafka:both", "second"))
          .route(Classic.class, event -> target("kafka:classic"))
          .build();
    }

    @Bean
    TypeNames types() {
      return TypeNames.builder()
          .type("named-event", Mapped.class)
          .type("routed", Routed.class)
          .type("target-alone", TargetAlone.class)
          .type("unrouted", Unrouted.class)
          .type("headed", Headed.class)
          .type("first", First.class)
          .type("second", Second.class)
          .build();
    }

    @Bean
    String prefix() {
      return "shop-";
    }

    @Bean
    Listener listener(ApplicationEventPublisher events) {
      return new Listener(events);
    }
  }

  record Listener(ApplicationEventPublisher events) {
    @Order(0) // before listeners without an order
    @EventListener
    void on(First first) {
      events.publishEvent(new Second(first.id()));
    }
  }

  private static Map<String, Object> header(Headed event) {
    Map<String, Object> headers = new HashMap<>();
    headers.put("h", event.value());
    return headers;
  }

  private static RoutingTarget target(String target) {
    return RoutingTarget.forTarget(target).withoutKey();
  }

  private static RoutingTarget target(String target, String key) {
    return RoutingTarget.forTarget(target).andKey(key);
  }
}
