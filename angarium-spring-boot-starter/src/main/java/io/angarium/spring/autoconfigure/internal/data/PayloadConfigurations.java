package io.angarium.spring.autoconfigure.internal.data;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.angarium.Outbox;
import io.angarium.PayloadCodec;
import io.angarium.TypeNames;
import io.angarium.TypedOutbox;
import io.angarium.TypedPayloads;
import io.angarium.jackson.Jackson2Codec;
import io.angarium.jackson.Jackson3Codec;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds the configurations that make payload codecs. They are imported in the order written here;
 * Spring gives members of one configuration class no order.
 */
public final class PayloadConfigurations {
  private PayloadConfigurations() {}

  /** By preference, where both are present. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Jackson3Codec.class, JsonMapper.class})
  @ConditionalOnSingleCandidate(JsonMapper.class)
  public static class Jackson3 {
    @Bean
    @Lazy
    @ConditionalOnMissingBean(PayloadCodec.class)
    Jackson3Codec angariumJackson3Codec(JsonMapper mapper) {
      return new Jackson3Codec(mapper);
    }
  }

  /** Where there is no Jackson 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Jackson2Codec.class, ObjectMapper.class})
  @ConditionalOnSingleCandidate(ObjectMapper.class)
  public static class Jackson2 {
    @Bean
    @Lazy
    @ConditionalOnMissingBean(PayloadCodec.class)
    Jackson2Codec angariumJackson2Codec(ObjectMapper mapper) {
      return new Jackson2Codec(mapper);
    }
  }

  /**
   * What applications use. Lazy: an application that sends no objects must not fail for a mapper
   * that is not fit for it.
   */
  @Configuration(proxyBeanMethods = false)
  public static class Typed {
    @Bean
    @ConditionalOnMissingBean
    TypeNames angariumTypeNames() {
      return TypeNames.derived();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(PayloadCodec.class)
    TypedPayloads angariumTypedPayloads(PayloadCodec codec, TypeNames types) {
      return new TypedPayloads(codec, types);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    @ConditionalOnBean({Outbox.class, TypedPayloads.class})
    TypedOutbox angariumTypedOutbox(
        ObjectProvider<Outbox> outboxes, BeanFactory beans, TypedPayloads payloads) {
      Outbox only = outboxes.getIfUnique();
      return new TypedOutbox(
          only != null ? only : beans.getBean(OutboxDataSources.OUTBOX, Outbox.class), payloads);
    }
  }
}
