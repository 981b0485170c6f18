package io.angarium.recipes.ssm;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** An order, as MyBatis and Jackson want it. */
public class Order {
  private @Nullable Long id;
  private long userId;
  private BigDecimal amount = BigDecimal.ZERO;

  public @Nullable Long getId() {
    return id;
  }

  public void setId(Long id) {
    this.id = id;
  }

  public long getUserId() {
    return userId;
  }

  public void setUserId(long userId) {
    this.userId = userId;
  }

  public BigDecimal getAmount() {
    return amount;
  }

  public void setAmount(BigDecimal amount) {
    this.amount = amount;
  }
}
