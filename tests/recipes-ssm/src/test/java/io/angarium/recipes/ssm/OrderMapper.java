package io.angarium.recipes.ssm;

/** Statements in OrderMapper.xml. */
public interface OrderMapper {
  void insertOrder(Order order);
}
