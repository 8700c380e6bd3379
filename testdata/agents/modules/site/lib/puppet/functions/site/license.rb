# frozen_string_literal: true

# The license of a product.
Puppet::Functions.create_function(:'site::license') do
  dispatch :license do
    param 'String[1]', :product
    return_type 'String'
  end

  def license(product)
    "#{product}-7c1f"
  end
end
